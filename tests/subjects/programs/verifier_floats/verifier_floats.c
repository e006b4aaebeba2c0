// Numbers with a fraction, as programs of the verifiers' competition ask for them.
#include <assert.h>

extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);

static void reach_error(void)
{
    assert(0 && "reached"); // fails here
}

int main(void)
{
    float x = __VERIFIER_nondet_float();
    double y = __VERIFIER_nondet_double();
    if (x > 1.0f && x < 2.0f) {
#ifdef REPAIRED
        if (x < 0.5f)
            reach_error();
#endif
#ifndef REPAIRED
        if (y == x + 0.25)
            reach_error();
#endif
    }
    return y > 3.0;
}
