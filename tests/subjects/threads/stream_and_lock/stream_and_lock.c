// `flockfile` keeps other threads from a stream for longer than a call: who has a lock writes, and who has the stream
// wants the lock.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static int total;

static void *tells(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
    int now = total;
    pthread_mutex_unlock(&lock);
    flockfile(out);
    fprintf(out, "total %d", now);
#else
    flockfile(out);
    fputs("total ", out);
    pthread_mutex_lock(&lock); // fails here
    int now = total;
    pthread_mutex_unlock(&lock);
    fprintf(out, "%d", now);
#endif
    putc('\n', out);
    funlockfile(out);
    return NULL;
}

static void *adds(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    total++;
    fputs("added\n", out); // or here
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    out = fopen("log", "w");
    if (!out)
        return 1;
    pthread_t a, b;
    pthread_create(&a, NULL, tells, NULL);
    pthread_create(&b, NULL, adds, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return fclose(out) != 0;
}
