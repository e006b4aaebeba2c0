// C11 threads: the second lock is tried, and when that fails it is waited
// for, with the first in hand.
#include <stddef.h>
#include <threads.h>

static mtx_t left, right;
static int moves;

static int from_left(void *unused)
{
    (void)unused;
    mtx_lock(&left);
    if (mtx_trylock(&right) == thrd_busy) {
#ifdef REPAIRED
        mtx_unlock(&left);
        return 1;
#else
        mtx_lock(&right); // fails here
#endif
    }
    moves++;
    mtx_unlock(&right);
    mtx_unlock(&left);
    return 0;
}

static int from_right(void *unused)
{
    (void)unused;
    mtx_lock(&right);
    mtx_lock(&left); // or here
    moves++;
    mtx_unlock(&left);
    mtx_unlock(&right);
    return 0;
}

int main(void)
{
    mtx_init(&left, mtx_plain);
    mtx_init(&right, mtx_plain);
    thrd_t a, b;
    int result;
    thrd_create(&a, from_left, NULL);
    thrd_create(&b, from_right, NULL);
    thrd_join(a, &result);
    thrd_join(b, NULL);
    return moves + result != 2;
}
