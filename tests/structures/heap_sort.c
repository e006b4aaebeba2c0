// Heap sort: the largest number is taken out of a heap again and again.
#include "heap_sort.h"

static void swap(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

// Moves the number at `index` down to where both below it are no larger.
static void sift_down(int *numbers, size_t index, size_t count)
{
    for (;;) {
        size_t largest = index;
        size_t left = 2 * index + 1;
        if (left < count && numbers[left] > numbers[largest])
            largest = left;
        if (left + 1 < count && numbers[left + 1] > numbers[largest])
            largest = left + 1;
        if (largest == index)
            return;
        swap(&numbers[index], &numbers[largest]);
        index = largest;
    }
}

void heap_make(int *numbers, size_t count)
{
    for (size_t i = count / 2; i > 0; i--)
        sift_down(numbers, i - 1, count);
}

void heap_push(int *numbers, size_t count)
{
    size_t index = count > 0 ? count - 1 : 0;
    while (index > 0 && numbers[index] > numbers[(index - 1) / 2]) {
        swap(&numbers[index], &numbers[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
}

void heap_pop(int *numbers, size_t count)
{
    if (count == 0)
        return;
    swap(&numbers[0], &numbers[count - 1]);
    sift_down(numbers, 0, count - 1);
}

void heap_sort(int *numbers, size_t count)
{
    heap_make(numbers, count);
    for (; count > 1; count--)
        heap_pop(numbers, count);
}

int heap_check(const int *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (numbers[i] > numbers[(i - 1) / 2])
            return 0;
    }
    return 1;
}

int heap_sort_check(const int *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (numbers[i - 1] > numbers[i])
            return 0;
    }
    return 1;
}
