//: holds = "honest"
//: options = ["--input-size=1"]
//: cflags = "-pthread"
//: witness = "x"
// What a thread keeps under a key is looked at by a library that is not instrumented, when the thread ends.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

void ends(void *text);
int agrees(void);

static pthread_key_t key;
static char c;

static void *thread(void *unused)
{
    (void)unused;
    pthread_setspecific(key, &c);
    return NULL;
}

int main(void)
{
    pthread_key_create(&key, ends);
    if (read(0, &c, 1) != 1)
        return 1;
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    if (!agrees())
        abort(); // fails here
    return 0;
}
