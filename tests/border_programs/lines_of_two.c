//: holds = "found"
//: kind = "assertion"
//: complete = true
//: cflags = "-pthread"
// Two threads write lines to one stream.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *out;

static void *one(void *nothing)
{
    fputs("a\n", out);
    return nothing;
}

static void *other(void *nothing)
{
    fputs("b\n", out);
    return nothing;
}

int main(void)
{
    out = fopen("log", "w+");
    if (!out)
        return 1;
    pthread_t both[2];
    pthread_create(&both[0], NULL, one, NULL);
    pthread_create(&both[1], NULL, other, NULL);
    pthread_join(both[0], NULL);
    pthread_join(both[1], NULL);
    rewind(out);
    assert(fgetc(out) == 'a'); // fails here
    return 0;
}
