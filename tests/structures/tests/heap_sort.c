// Tests of the heap sort and its heap.
#include "../heap_sort.h"
#include "sorts.h"

// What a heap is, from the side of the larger numbers.
static int is_heap(const int *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t below_i = 2 * i + 1; below_i <= 2 * i + 2 && below_i < count; below_i++) {
            if (numbers[below_i] > numbers[i])
                return 0;
        }
    }
    return 1;
}

int main(void)
{
    test_sort(heap_sort, heap_sort_check);
    uint64_t state = 2;
    for (int round = 0; round < 2000; round++) {
        int numbers[12];
        size_t count = (size_t)below(&state, 12);
        for (size_t i = 0; i <= count; i++)
            numbers[i] = below(&state, 9);
        REQUIRE(heap_check(numbers, count) == is_heap(numbers, count));
        heap_make(numbers, count);
        REQUIRE(is_heap(numbers, count));
        heap_push(numbers, count + 1);
        REQUIRE(is_heap(numbers, count + 1) && heap_check(numbers, count + 1));
        int largest = numbers[0];
        heap_pop(numbers, count + 1);
        REQUIRE(numbers[count] == largest && is_heap(numbers, count));
        heap_push(numbers, 0);
        heap_pop(numbers, 0);
    }
    return 0;
}
