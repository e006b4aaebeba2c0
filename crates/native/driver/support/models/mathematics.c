// Functions of the mathematical library, in a file of their own: not every program is linked with it.
#include "models.h"
#include <fenv.h>
#include <math.h>

// The environment of floats, which every operation on them reads and writes: what goes that way is not followed,
// nor is what depends on how they are rounded.
LOSES_INPUT(int, fesetround, (int mode), (mode))
LOSES_INPUT(int, fetestexcept, (int flags), (flags))
LOSES_INPUT(int, feenableexcept, (int flags), (flags))
LOSES_INPUT(int, fegetenv, (fenv_t *to), (to))
LOSES_INPUT(int, fesetenv, (const fenv_t *from), (from))
LOSES_INPUT(int, feholdexcept, (fenv_t *to), (to))
LOSES_INPUT(int, feupdateenv, (const fenv_t *from), (from))
LOSES_INPUT(int, fegetexceptflag, (fexcept_t *to, int flags), (to, flags))
LOSES_INPUT(int, fesetexceptflag, (const fexcept_t *from, int flags), (from, flags))

// The result is that of one operation; there is an error number, too.
#define REMAINDER(type, name)                                                                      \
    type __elw_m_##name(type x, type y)                                                            \
    {                                                                                              \
        __elw_model();                                                                             \
        int invalid = ((y == 0) & (x == x)) | (__builtin_isinf(x) & (y == y));                     \
        errno = invalid ? EDOM : errno;                                                            \
        return name(x, y);                                                                         \
    }

REMAINDER(double, fmod)
REMAINDER(float, fmodf)
