// Quick sort: the array is parted around its middle element, and each part sorted on its own.
#include "quick_sort.h"

static void swap(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

// Moves what is smaller than the pivot before what is larger, and returns the size of the first
// part, which is neither nothing nor all of it. There are at least two numbers.
static size_t part(int *numbers, size_t count)
{
    int pivot = numbers[(count - 1) / 2];
    size_t low = 0;
    size_t high = count - 1;
    for (;;) {
        while (numbers[low] < pivot)
            low++;
        while (numbers[high] > pivot)
            high--;
        if (low >= high)
            return high + 1;
        swap(&numbers[low], &numbers[high]);
        low++;
        high--;
    }
}

void quick_sort(int *numbers, size_t count)
{
    while (count > 1) {
        size_t first = part(numbers, count);
        // The smaller part is sorted by a call, so that calls are never nested deeply.
        if (first < count - first) {
            quick_sort(numbers, first);
            numbers += first;
            count -= first;
        } else {
            quick_sort(numbers + first, count - first);
            count = first;
        }
    }
}

int quick_sort_check(const int *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (numbers[i - 1] > numbers[i])
            return 0;
    }
    return 1;
}
