// The environment of floats, which every operation on them reads and writes: what goes that way is not followed,
// nor is what depends on how they are rounded.
#include "models.h"
#include <fenv.h>

#define OF_FLOATS(name, parameters, arguments)                                                     \
    int __elw_m_##name parameters                                                                  \
    {                                                                                              \
        __elw_model();                                                                             \
        __elw_loses_input();                                                                       \
        return name arguments;                                                                     \
    }

OF_FLOATS(fesetround, (int mode), (mode))
OF_FLOATS(fetestexcept, (int flags), (flags))
OF_FLOATS(feenableexcept, (int flags), (flags))
OF_FLOATS(fegetenv, (fenv_t *to), (to))
OF_FLOATS(fesetenv, (const fenv_t *from), (from))
OF_FLOATS(feholdexcept, (fenv_t *to), (to))
OF_FLOATS(feupdateenv, (const fenv_t *from), (from))
OF_FLOATS(fegetexceptflag, (fexcept_t *to, int flags), (to, flags))
OF_FLOATS(fesetexceptflag, (const fexcept_t *from, int flags), (from, flags))
