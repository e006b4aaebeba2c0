/* A verification task in the manner of SV-COMP: spending never goes beyond what there is. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_error(void);

int main(void)
{
    unsigned left = 1000000007;
    for (int i = 0; i < 3; i++) {
        unsigned cost = __VERIFIER_nondet_uint();
        unsigned fee = cost / 65536;
        __VERIFIER_assume(cost > 65536);
        if (__VERIFIER_nondet_bool() && cost <= left)
            left -= cost + fee;
    }
    if (left > 1000000007)
        __VERIFIER_error(); // fails here
    return 0;
}
