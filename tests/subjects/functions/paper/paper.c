// The examples of "CUTE: a concolic unit testing engine for C", and the two that it could not do.
#include "../twin.h"
#include <assert.h>
#include <stddef.h>
#include <string.h>

typedef struct cell {
    int v;
    struct cell *next;
} cell;

#ifdef REPAIRED
#define UNLUCKY x + 1
#else
#define UNLUCKY 10
#endif

static int f(int v)
{
    return 2 * v + 1;
}

// Figure 1.
int testme(cell *p, int x)
{
    if (x > 0)
        if (p != NULL)
            if (f(x) == p->v)
                if (p->next == p)
                    fail(); // fails here
    return 0;
}

struct foo {
    int i;
    char c;
};

static void *set(void *s, char c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)s)[i] = c;
    return s;
}

// Pointer casts: the bytes of a struct are written one by one.
void bar(struct foo *a)
{
    if (a && a->c == 1) {
        set(a, 0, sizeof(struct foo));
        if (a->c != 1)
            fail(); // fails here
    }
}

// The same by the library's function.
void bar_by_library(struct foo *a)
{
    if (a && a->c == 1) {
        memset(a, 0, sizeof(struct foo));
        if (a->c != 1)
            fail(); // fails here
    }
}

static int g(int x)
{
    return x * x + x % 2;
}

// Arithmetic that is not linear.
void not_linear(int x, int y)
{
    if (x == 0)
        return;
    int z = g(x);
    if (y == z)
        fail(); // fails here
}

// A function of the library that is not known here, neither its code nor a model of it.
void black_box(unsigned x, int y)
{
    if (y == rand_r(&x))
        fail(); // fails here
}

// An unlucky value at first does no harm later. The first failure needs -3.
void bad_initialisation(int x)
{
    int z = x * x + x % 2;
    if (z == 8)
        fail(); // fails here
    assert(x != UNLUCKY); // fails here: assertion
}

// Aliases that no condition asks for.
void alias(int *p, int *q)
{
    if (p == NULL || q == NULL)
        return;
    *p = 0;
    *q = 1;
    if (*p == 1)
        fail(); // fails here
}

void other_alias(cell *p, cell *q, cell *r)
{
    if (p == NULL || q == NULL || r == NULL)
        return;
    p->v = 1;
    q->v = 2;
    r->next = p;
    if (p->v == 2 && q->next == r)
        fail(); // fails here
}

void equal_indices(unsigned char i, unsigned char j)
{
    int a[16] = { 0 };
    if (i >= 16 || j >= 16 || i == 0)
        return;
    a[i] = 0;
    a[j] = 1;
    if (a[i] == 1)
        fail(); // fails here
}

// The other way round, as the paper has it.
void different_indices(unsigned char i, unsigned char j)
{
    int a[16] = { 0 };
    if (i >= 16 || j >= 16)
        return;
    a[i] = 0;
    a[j] = 1;
    if (a[i] == 0)
        fail(); // fails here
}
