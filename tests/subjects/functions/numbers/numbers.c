// Parameters that are numbers of every width, truth values and enumerations.
#include "../twin.h"
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

int narrow(signed char a, unsigned char b, short c, unsigned short d, char e)
{
    if (a == -128 && b == 255 && c == -32768 && d == 65535 && e == 'x')
        fail(); // fails here
    return a + b;
}

long wide(int a, unsigned b, long c, unsigned long long d)
{
    if (a == INT_MIN && b == UINT_MAX && c == LONG_MIN + 1 && d == ULLONG_MAX - 1)
        fail(); // fails here
    return c;
}

// What is computed with numbers of 128 bits is made concrete; the rest is not.
__int128 widest(__int128 a, unsigned __int128 b, int c)
{
    if (c == 77)
        fail(); // fails here
    return a + (__int128)b;
}

typedef uint16_t port;
typedef port address_port;
typedef const address_port fixed_port;

fixed_port chain(fixed_port p)
{
    if (p == 8080)
        fail(); // fails here
    return p;
}

float single(float x)
{
    if (x > 1.5f && x * 2 == 7.5f)
        fail(); // fails here
    return x;
}

double twice(double x, double y)
{
    if (x - y == 0.25 && x == 1e9)
        fail(); // fails here
    return x + y;
}

// The same for what is no double.
long double extended(long double x, int c)
{
    if (c == 77)
        fail(); // fails here
    return x;
}

enum sign { NEGATIVE = -1, ZERO, POSITIVE };

enum sign signs(enum sign a, enum sign b)
{
    if (a == NEGATIVE && b == POSITIVE)
        fail(); // fails here
    return (enum sign)-(int)a;
}

enum access { READ = 1, WRITE = 2, EXECUTE = 4 };

int flags(enum access access)
{
    if ((access & (WRITE | EXECUTE)) == (WRITE | EXECUTE) && !(access & READ))
        fail(); // fails here
    return access & READ;
}

enum sparse { NONE = 0, SOME = 1000, ALL = 0x7fffffff };

// No enumeration has a value but those it names.
int only_those_named(enum sparse s)
{
    switch (s) {
    case NONE:
        return 0;
    case SOME:
        return 1;
    case ALL:
        fail(); // fails here
        return 2;
    }
    abort();
}

bool truth(bool a, _Bool b)
{
    unsigned char byte = *(unsigned char *)&a;
    if (byte > 1)
        abort();
    if (a && !b)
        fail(); // fails here
    return a ^ b;
}

// A compiler that takes it for granted that nobody divides by zero divides nothing here.
int reciprocal(int x)
{
#ifdef REPAIRED
    if (x == 42)
        return 0;
#endif
    return 1 / (x - 42); // fails here
}

unsigned by_itself(unsigned x)
{
#ifdef REPAIRED
    if (x == 0)
        return 0;
#endif
    return x % x; // fails here
}

// Here the number of parts is no function of the input, only of the way.
int share(int people)
{
    int parts = people;
    if (people < 1 || people > 1000)
        parts = 0;
    else
        parts = 4;
#ifdef REPAIRED
    if (parts == 0)
        return 0;
#endif
    return 100 / parts; // fails here
}

// The least number has no opposite.
long magnitude(long number)
{
    long size = labs(number);
    if (size < 0)
        fail(); // fails here
    return size;
}

// The case that overflows is among those that are tried first.
int opposite(int number)
{
    int size = number < 0 ? -number : number;
#ifndef REPAIRED
    assert(size >= 0); // fails here
#endif
    return size;
}

// A compiler may know that no product of numbers that are not 0 is 0.
int product(int left, int right)
{
    int both = left * right;
#ifndef REPAIRED
    if (left != 0 && right != 0 && both == 0)
        abort(); // fails here
#endif
    return both;
}

// An optimising compiler takes the next number to be larger, always: only the plain program fails.
int next(int number)
{
    int more = number + 1; // fails here
    if (more > number && number == INT_MAX)
        fail();
    return 0;
}
