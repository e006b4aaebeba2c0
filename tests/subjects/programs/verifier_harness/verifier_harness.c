// A program of the verifiers' competition.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static void reach_error(void)
{
    assert(0 && "reached"); // fails here
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n > 10 && n < 20);
#ifdef REPAIRED
    if (n * c == 253 * 17 && n < 11)
        reach_error();
#else
    if (n * c == 253 * 17)
        reach_error();
#endif
    return 0;
}
