// Heap sort of an array of numbers, in place, and the heap that it uses.
#ifndef HEAP_SORT_H
#define HEAP_SORT_H

#include <stddef.h>

// Sorts `count` numbers in ascending order.
void heap_sort(int *numbers, size_t count);

// Makes a heap of `count` numbers: none is larger than the one at half its index.
void heap_make(int *numbers, size_t count);

// Adds the last of `count` numbers to the heap of those before it.
void heap_push(int *numbers, size_t count);

// Takes the largest of `count` numbers out of their heap: it is the last one afterwards, and the
// others are a heap.
void heap_pop(int *numbers, size_t count);

// 1 if the numbers are a heap, otherwise 0.
int heap_check(const int *numbers, size_t count);

// 1 if the numbers are in ascending order, otherwise 0.
int heap_sort_check(const int *numbers, size_t count);

#endif
