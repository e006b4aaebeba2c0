// One thread makes a stream forget that it has ended, which the other one asks for.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *forgets(void *unused)
{
    (void)unused;
    clearerr(file);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    file = fopen("words", "w+");
    if (!file)
        return 1;
    fputs("ab", file);
    rewind(file);
    while (fgetc(file) != EOF)
        ;
    pthread_create(&thread, NULL, forgets, NULL);
#ifdef REPAIRED
    pthread_join(thread, NULL);
    assert(!feof(file));
#else
    assert(feof(file)); // fails here
    pthread_join(thread, NULL);
#endif
    return 0;
}
