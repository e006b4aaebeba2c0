/* The mathematical library. */
/* Link: -lm */
#include <math.h>
#include <stdlib.h>

/* sqrt */
static long root(long v)
{
    return (long)sqrt((double)labs(v));
}

/* cbrt */
static long cubic_root(long v)
{
    return (long)(cbrt((double)v) * 4);
}

/* pow */
static long power(long v)
{
    return (long)pow(1.5, (double)(v & 31));
}

/* exp, log */
static long logarithm(long v)
{
    return (long)(log((double)labs(v) + 1) * 10) + (long)exp((double)(v & 7));
}

/* exp2, log2 */
static long binary_logarithm(long v)
{
    return (long)(log2((double)(v & 0xff) + 0.5) * 8) + (long)exp2((double)(v & 3));
}

/* log10, log1p, expm1 */
static long other_logarithms(long v)
{
    double x = (double)(v & 0xff);
    return (long)(log10(x + 1) * 100) + (long)(log1p(x) * 10) + (long)(expm1(x / 100) * 10);
}

/* sin, cos */
static long waves(long v)
{
    return (long)(sin((double)v / 10) * 50) + 100 * (long)(cos((double)v / 10) * 5);
}

/* tan, atan */
static long slopes(long v)
{
    return (long)(atan((double)v / 20) * 100) + (tan((double)(v & 15)) > 0);
}

/* atan2 */
static long direction(long v)
{
    return (long)(atan2((double)(v & 15) - 8, (double)(v >> 4 & 15) - 8) * 10);
}

/* asin, acos */
static long arcs(long v)
{
    double x = (double)(v & 0xff) / 255;
    return (long)(asin(x) * 100) + (long)(acos(x) * 10);
}

/* sinh, cosh, tanh */
static long hyperbolic(long v)
{
    double x = (double)(v & 7);
    return (long)(sinh(x) + cosh(x) + tanh(x) * 10);
}

/* hypot */
static long distance(long v)
{
    return (long)hypot((double)(v & 15), (double)(v >> 4 & 15));
}

/* floor, ceil */
static long nearest_below(long v)
{
    return (long)floor((double)v / 7) * 3 + (long)ceil((double)v / 5);
}

/* round, lround */
static long nearest(long v)
{
    return (long)round((double)v / 4) + lround((double)v / 3);
}

/* trunc, rint, nearbyint */
static long rounded(long v)
{
    double x = (double)v / 2;
    return (long)trunc(x) + 2 * (long)rint(x) - (long)nearbyint(x);
}

/* lrint, llrint */
static long rounded_to_integer(long v)
{
    return lrint((double)v / 2) + (long)llrint((double)v / 4);
}

/* fmod, remainder */
static long rest(long v)
{
    return (long)fmod((double)v, 11) + 100 * (long)remainder((double)v, 7);
}

/* remquo */
static long rest_and_quotient(long v)
{
    int quo = 0;
    double r = remquo((double)(v & 0xff), 9, &quo);
    return (long)r + 16 * (quo & 7);
}

/* fmin, fmax, fdim */
static long bounds(long v)
{
    double x = (double)v;
    return (long)fmin(x, 40) + (long)fmax(x, 60) + (long)fdim(x, 50);
}

/* fma */
static long product(long v)
{
    return (long)fma((double)v, 3, 4);
}

/* frexp, ldexp */
static long parts(long v)
{
    int e;
    double f = frexp((double)v, &e);
    return (long)ldexp(f, 6) + e * 100;
}

/* modf */
static long fraction(long v)
{
    double whole;
    double f = modf((double)v / 8, &whole);
    return (long)(f * 8) * 100 + (long)whole % 100;
}

/* scalbn, ilogb, logb */
static long scaled(long v)
{
    double x = (double)(v & 0xff) + 1;
    return ilogb(x) * 100 + (long)logb(x) + (long)scalbn(x, 2);
}

/* copysign, nextafter */
static long neighbours(long v)
{
    double x = copysign(3.5, (double)v);
    return (long)(x * 2) + (nextafter(x, 0) > 0);
}

/* tgamma, lgamma */
static long factorial(long v)
{
    double x = (double)(v & 7) + 1;
    return (long)(tgamma(x) + 0.5) + (long)(lgamma(x) * 10);
}

/* erf, erfc */
static long error_function(long v)
{
    double x = (double)(v & 31) / 16;
    return (long)(erf(x) * 100) + (long)(erfc(x) * 100);
}

/* j0, j1 */
static long bessel(long v)
{
    double x = (double)(v & 31);
    return (long)(j0(x) * 100) + (long)(j1(x) * 100);
}

/* sincos */
static long both_waves(long v)
{
    double s, c;
    sincos((double)v / 16, &s, &c);
    return (long)(s * 20) + 100 * (long)(c * 20);
}

/* sqrtf, powf, floorf */
static long short_math(long v)
{
    float x = (float)(v & 0xff);
    return (long)(sqrtf(x) * 4) + (long)powf(x, 0.5f) + (long)floorf(x / 3);
}

/* sqrtl, fabsl */
static long long_math(long v)
{
    return (long)sqrtl(fabsl((long double)v * 2));
}

/* nan */
static long not_a_number(long v)
{
    double d = v % 9 == 4 ? nan("") : (double)v;
    return d != d ? 1 : d > 50 ? 2 : 3;
}
