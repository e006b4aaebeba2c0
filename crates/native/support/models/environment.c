// The environment of floats, which every operation on them reads and writes: what goes that way is not followed,
// nor is what depends on how they are rounded.
#include "models.h"
#include <fenv.h>

LOSES_INPUT(int, fesetround, (int mode), (mode))
LOSES_INPUT(int, fetestexcept, (int flags), (flags))
LOSES_INPUT(int, feenableexcept, (int flags), (flags))
LOSES_INPUT(int, fegetenv, (fenv_t *to), (to))
LOSES_INPUT(int, fesetenv, (const fenv_t *from), (from))
LOSES_INPUT(int, feholdexcept, (fenv_t *to), (to))
LOSES_INPUT(int, feupdateenv, (const fenv_t *from), (from))
LOSES_INPUT(int, fegetexceptflag, (fexcept_t *to, int flags), (to, flags))
LOSES_INPUT(int, fesetexceptflag, (const fexcept_t *from, int flags), (from, flags))
