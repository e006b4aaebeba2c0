// A text is printed into shared memory while another thread compares it.
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char line[16] = "no 0";

static void *print(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    snprintf(line, sizeof line, "no %d", 7); // fails here
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, print, NULL);
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
    int same = strcmp(line, "no 7") == 0; // or here
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(t, NULL);
    return same > 1;
}
