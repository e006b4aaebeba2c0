// `new` and `delete` of C++: memory that is handed out has no labels, and memory that is given
// back loses them. Linked only into programs that use them, which have the real ones.
#include "models.h"

#define NEW(name, parameters, arguments)                                                           \
    void *name parameters;                                                                         \
    void *__elw_m_##name parameters                                                                \
    {                                                                                              \
        __elw_model();                                                                             \
        void *block = name arguments;                                                              \
        __elw_fresh(block, size);                                                                  \
        return block;                                                                              \
    }

#define DELETE(name, parameters, arguments)                                                        \
    void name parameters;                                                                          \
    void __elw_m_##name parameters                                                                 \
    {                                                                                              \
        __elw_model();                                                                             \
        __elw_forget(block);                                                                       \
        name arguments;                                                                            \
    }

NEW(_Znwm, (size_t size), (size))
NEW(_Znam, (size_t size), (size))
NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow))
NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow))
DELETE(_ZdlPv, (void *block), (block))
DELETE(_ZdaPv, (void *block), (block))
DELETE(_ZdlPvm, (void *block, size_t size), (block, size))
DELETE(_ZdaPvm, (void *block, size_t size), (block, size))
