// What a thread is given and what it returns: the failure needs one number, which goes through both.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *twice(void *number)
{
    long n = (long)number;
    return (void *)(n * 2 + 1);
}

int main(void)
{
    int z;
    if (read(0, &z, sizeof z) != (ssize_t)sizeof z)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, twice, (void *)(long)z);
    void *result;
    pthread_join(t, &result);
#ifdef REPAIRED
    assert((long)result != 2468);
#else
    assert((long)result != 2469); // fails here
#endif
    return 0;
}
