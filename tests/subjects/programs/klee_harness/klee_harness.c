// A harness as KLEE takes it.
#include <assert.h>
#include <klee/klee.h>

int main(void)
{
    int x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume(x > 0);
    klee_assume(x < 1000);
    if (y == x * x) {
#ifdef REPAIRED
        assert(y > 0);
#else
        assert(y != 123 * 123); // fails here
#endif
    }
    return 0;
}
