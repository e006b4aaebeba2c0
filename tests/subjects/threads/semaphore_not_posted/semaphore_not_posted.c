// A place that was taken is not given back where there is nothing to do.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t places;
static unsigned char work;
static int done;

static void *serve(void *unused)
{
    (void)unused;
    sem_wait(&places); // fails here
    if (work == 0) {
#ifdef REPAIRED
        sem_post(&places);
#endif
        return NULL;
    }
    done++;
    sem_post(&places);
    return NULL;
}

int main(void)
{
    if (read(0, &work, 1) != 1)
        return 1;
    sem_init(&places, 0, 1);
    pthread_t a, b;
    pthread_create(&a, NULL, serve, NULL);
    pthread_create(&b, NULL, serve, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return done == 1;
}
