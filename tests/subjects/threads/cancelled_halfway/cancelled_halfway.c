// pthread_setcancelstate: a change of two values that belong together is cancelled in between.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int debit, credit;

static void *transfer(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
#endif
    debit = 5;
    pthread_testcancel();
    credit = 5;
#ifdef REPAIRED
    pthread_setcancelstate(before, NULL);
    pthread_testcancel();
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, transfer, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(debit == credit); // fails here
    return value != NULL && value != PTHREAD_CANCELED;
}
