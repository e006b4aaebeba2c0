// A text is copied by the library while another thread measures it.
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char name[16] = "old";

static void *rename_it(void *to)
{
    pthread_mutex_lock(&lock);
    strcpy(name, to); // fails here
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, rename_it, "newer");
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
    size_t length = strlen(name); // or here
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(t, NULL);
    return length > sizeof name;
}
