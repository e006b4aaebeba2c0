/* Calls a random function on everything that it may be given, within bounds, and says on which lines
 * it fails. What is given is a sequence of choices; one sequence after the other is tried, or, if there
 * are too many, some by chance.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES 1024
#define CHOICES 4096

static sigjmp_buf before;
static volatile int here;
static volatile unsigned char aborted[LINES], crashed[LINES];

static struct {
    int taken, ways;
} trail[CHOICES];
static int at, known;
static int by_chance;

static uint64_t chance(void)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

static int choose(int ways)
{
    if (by_chance)
        return (int)(chance() % (unsigned)ways);
    if (at == known) {
        if (known == CHOICES)
            _Exit(3);
        trail[known].taken = 0;
        trail[known++].ways = ways;
    }
    return trail[at++].taken;
}

/* Is there another sequence? */
static int advance(void)
{
    known = at;
    while (known > 0 && trail[known - 1].taken + 1 == trail[known - 1].ways)
        known--;
    if (known == 0)
        return 0;
    trail[known - 1].taken++;
    at = 0;
    return 1;
}

static void failed(int line)
{
    aborted[line] = 1;
    siglongjmp(before, 1);
}

static void on_crash(int signal)
{
    (void)signal;
    crashed[here] = 1;
    siglongjmp(before, 1);
}

#define abort() failed(__LINE__)
#define HERE (void)(here = __LINE__)
