// Tests of a function that sorts numbers, and of one that tells whether they are sorted.
#ifndef SORTS_H
#define SORTS_H

#include "support.h"
#include <limits.h>
#include <string.h>

typedef void sort_function(int *numbers, size_t count);
typedef int check_function(const int *numbers, size_t count);

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a;
    int y = *(const int *)b;
    return (x > y) - (x < y);
}

// The same numbers as qsort's, from an array of exactly their size, so that a step outside of it is
// seen.
static void sort_one(sort_function *sort, check_function *check, const int *numbers, size_t count)
{
    int *ours = malloc(count * sizeof *ours + 1);
    int *wanted = malloc(count * sizeof *wanted + 1);
    memcpy(ours, numbers, count * sizeof *ours);
    memcpy(wanted, numbers, count * sizeof *wanted);
    qsort(wanted, count, sizeof *wanted, compare);
    REQUIRE(check(numbers, count) == (memcmp(numbers, wanted, count * sizeof *wanted) == 0));
    sort(ours, count);
    REQUIRE(memcmp(ours, wanted, count * sizeof *wanted) == 0);
    REQUIRE(check(ours, count));
    free(ours);
    free(wanted);
}

static inline void test_sort(sort_function *sort, check_function *check)
{
    int numbers[40];
    // Every array of up to 6 of 4 numbers, which has every order of them.
    for (size_t count = 0; count <= 6; count++) {
        for (unsigned long code = 0; code < 1ul << (2 * count); code++) {
            unsigned long rest = code;
            for (size_t i = 0; i < count; i++)
                numbers[i] = digit(&rest, 4);
            sort_one(sort, check, numbers, count);
        }
    }
    uint64_t state = 1;
    for (int round = 0; round < 2000; round++) {
        size_t count = (size_t)below(&state, 41);
        int range = 1 + below(&state, 60);
        for (size_t i = 0; i < count; i++)
            numbers[i] = below(&state, range) == 0 ? INT_MIN + below(&state, 3)
                                                   : INT_MAX - below(&state, range);
        sort_one(sort, check, numbers, count);
    }
}

#endif
