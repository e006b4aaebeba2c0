//: holds = "found"
//: complete = true
//: kind = "assertion"
// A harness as SV-COMP has them, with a float that lies between two others.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float ratio = __VERIFIER_nondet_float();
    if (ratio > 0.25f && ratio < 0.5f)
        reach_error(); // fails here
    return 0;
}
