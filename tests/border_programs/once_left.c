//: holds = "clean"
//: complete = true
//: cflags = "-pthread"
// A thread ends in what is to be done once: it is not done.
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tries;

static void attempt(void)
{
    if (++tries == 1)
        pthread_exit(NULL);
}

static void *enter(void *nothing)
{
    pthread_once(&once, attempt);
    return nothing;
}

int main(void)
{
    pthread_t both[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&both[i], NULL, enter, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(both[i], NULL);
    if (tries != 2)
        abort();
    return 0;
}
