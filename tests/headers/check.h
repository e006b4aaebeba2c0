// What the wrappers have in common: checks after an operation that are no branches, since the side
// that is never taken would count among those that exploring has not reached.
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h> // __containerof of libbsd needs it and does not include it
#include <stdlib.h>

// Longer lists and deeper trees are not looked at.
#define MOST 4

static void go_on(void)
{
}

static inline void ensure(int holds)
{
    static void (*const next[])(void) = {abort, go_on};
    next[holds != 0]();
}

#endif
