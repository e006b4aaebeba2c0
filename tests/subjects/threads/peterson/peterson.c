// Peterson's lock waits by looking at two variables in turn. Who gives way before he says that he wants
// to enter may find the other inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn, inside;

static void *enter(void *arg)
{
    long me = (long)arg;
#ifdef REPAIRED
    wants[me] = 1;
    turn = 1 - (int)me;
#else
    turn = 1 - (int)me;
    wants[me] = 1;
#endif
    while (wants[1 - me] && turn == 1 - me)
        ;
    assert(atomic_fetch_add(&inside, 1) == 0); // fails here
    inside--;
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, enter, (void *)1);
    enter((void *)0);
    pthread_join(t, NULL);
    return 0;
}
