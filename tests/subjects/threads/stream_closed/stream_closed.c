// A thread writes to a stream that another may have closed: the memory behind it is the C library's again.
#include <pthread.h>
#include <stdio.h>

static FILE *out;

static void *writes(void *unused)
{
    (void)unused;
    fputs("word\n", out); // fails here
    return NULL;
}

int main(void)
{
    pthread_t thread;
    out = fopen("words", "w");
    if (!out)
        return 1;
    pthread_create(&thread, NULL, writes, NULL);
#ifdef REPAIRED
    pthread_join(thread, NULL);
    fclose(out);
    // Where one stream was, the next one may be.
    out = fopen("others", "w");
    if (!out)
        return 1;
    pthread_create(&thread, NULL, writes, NULL);
    pthread_join(thread, NULL);
    fclose(out);
#else
    fclose(out);
    pthread_join(thread, NULL);
#endif
    return 0;
}
