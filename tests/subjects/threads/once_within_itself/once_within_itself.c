// pthread_once: what is made once asks for itself while it is being made.
#include <pthread.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned char wanted;
static int size;

static void make(void);

static int get_size(void)
{
    pthread_once(&once, make); // fails here
    return size;
}

static void make(void)
{
    size = 16;
    if (wanted != 0) {
#ifdef REPAIRED
        int least = size;
#else
        int least = get_size();
#endif
        size = wanted > least ? wanted : least;
    }
}

static void *use(void *unused)
{
    (void)unused;
    return get_size() >= 16 ? NULL : &size;
}

int main(void)
{
    if (read(0, &wanted, 1) != 1)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    int mine = get_size();
    void *wrong;
    pthread_join(t, &wrong);
    return wrong || mine < 16;
}
