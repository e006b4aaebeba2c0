// Two that talk by a pair of sockets: whoever was asked first listens first. Both think they were.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];
static atomic_int asked;

static void *talk(void *which)
{
    int mine = ends[which != NULL];
    char c = 'a';
#ifdef REPAIRED
    int first = atomic_fetch_add(&asked, 1) == 0;
#else
    int first = atomic_load(&asked) == 0;
    atomic_store(&asked, 1);
#endif
    if (!first)
        if (send(mine, &c, 1, 0) != 1)
            _exit(1);
    if (recv(mine, &c, 1, 0) != 1) // fails here
        _exit(1);
    if (first)
        if (send(mine, &c, 1, 0) != 1)
            _exit(1);
    return NULL;
}

int main(void)
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, talk, &ends);
    talk(NULL);
    pthread_join(t, NULL);
    return 0;
}
