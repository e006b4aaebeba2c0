//: holds = "found"
//: kind = "assertion"
//: complete = true
//: cflags = "-pthread"
// Two threads take words from two texts by `strtok`, which remembers one text.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *one(void *nothing)
{
    static char text[] = "a b";
    strtok(text, " ");
    char *word = strtok(NULL, " ");
    assert(word == &text[2]); // fails here
    return nothing;
}

static void *other(void *nothing)
{
    static char text[] = "c d";
    strtok(text, " ");
    return nothing;
}

int main(void)
{
    pthread_t both[2];
    pthread_create(&both[0], NULL, one, NULL);
    pthread_create(&both[1], NULL, other, NULL);
    pthread_join(both[0], NULL);
    pthread_join(both[1], NULL);
    return 0;
}
