// One thread looks at the next character and puts it back; between the two, another reads what comes after it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *stream;

static void *look(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
    ungetc(fgetc(stream), stream);
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    stream = fopen("text", "w+");
    if (!stream)
        return 1;
    fputs("ab", stream);
    rewind(stream);
    pthread_t looks;
    pthread_create(&looks, NULL, look, NULL);
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
    int c = fgetc(stream);
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    assert(c == 'a'); // fails here
    pthread_join(looks, NULL);
    fclose(stream);
    return 0;
}
