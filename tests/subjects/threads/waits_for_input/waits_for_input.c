// A thread looks again and again at what another has read from the input: that it computes with it is no reason to
// believe that the next look shows something new.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_uchar given;

static void *give(void *input)
{
    unsigned char byte = *(unsigned char *)input;
#ifdef REPAIRED
    byte |= 1;
#endif
    atomic_store(&given, byte);
    return NULL;
}

static void *wait_for_it(void *unused)
{
    (void)unused;
    while ((atomic_load(&given) & 15) == 0) // fails here
        ;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    unsigned char input;
    if (read(0, &input, 1) != 1)
        return 1;
    pthread_create(&a, NULL, give, &input);
    pthread_create(&b, NULL, wait_for_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
