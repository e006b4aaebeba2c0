// Quick sort of an array of numbers, in place.
#ifndef QUICK_SORT_H
#define QUICK_SORT_H

#include <stddef.h>

// Sorts `count` numbers in ascending order.
void quick_sort(int *numbers, size_t count);

// 1 if the numbers are in ascending order, otherwise 0.
int quick_sort_check(const int *numbers, size_t count);

#endif
