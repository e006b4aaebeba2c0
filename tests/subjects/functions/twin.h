// How the functions here fail, and how their repaired twins do not.
#include <stdlib.h>

#ifdef REPAIRED
static volatile int survived;
#define fail() ((void)survived++)
#else
#define fail() abort()
#endif
