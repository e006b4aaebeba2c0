// Two threads write words to one file, each of its two in a row only if it keeps the stream meanwhile.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *out;

static void *writes(void *words)
{
    const char *both = words;
#ifdef REPAIRED
    flockfile(out);
#endif
    putc(both[0], out);
    putc(both[1], out);
#ifdef REPAIRED
    funlockfile(out);
#endif
    return NULL;
}

int main(void)
{
    out = fopen("log", "w+");
    if (!out)
        return 1;
    pthread_t a, b;
    pthread_create(&a, NULL, writes, "ab");
    pthread_create(&b, NULL, writes, "ab");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    rewind(out);
    int first = getc(out), second = getc(out);
    assert(first == 'a' && second == 'b'); // fails here
    return 0;
}
