// What is done once, and left undone by who throws or ends in it.
#include "models.h"
#include <pthread.h>

int __elw_once_begins(const void *control);
void __elw_once_done(const void *control);
void __elw_once_left(const void *control);

static void __elw_h_left(const void **control)
{
    if (*control)
        __elw_once_left(*control);
}

// `pthread_once` and `call_once`.
int __elw_m_pthread_once(pthread_once_t *control, void (*function)(void))
{
    __elw_model();
    int begins = __elw_once_begins(control);
    if (begins < 0)
        return pthread_once(control, function);
    if (begins) {
        const void *undone __attribute__((cleanup(__elw_h_left))) = control;
        function();
        undone = NULL;
        __elw_once_done(control);
    }
    return 0;
}

ALSO(call_once, pthread_once);
