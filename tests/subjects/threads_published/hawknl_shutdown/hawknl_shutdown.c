// HawkNL 1.6b3: closing a socket takes the socket's lock and then the library's; shutting the library
// down takes the library's and then that of each socket.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER, socket_lock = PTHREAD_MUTEX_INITIALIZER;
static int sockets = 1, open = 1;

static void *nl_close(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    pthread_mutex_lock(&library);
    pthread_mutex_lock(&socket_lock);
#else
    pthread_mutex_lock(&socket_lock);
    pthread_mutex_lock(&library); // fails here
#endif
    sockets -= open;
    open = 0;
    pthread_mutex_unlock(&library);
    pthread_mutex_unlock(&socket_lock);
    return NULL;
}

static void *nl_shutdown(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&library);
    if (sockets > 0) {
        pthread_mutex_lock(&socket_lock); // or here
        open = 0;
        pthread_mutex_unlock(&socket_lock);
    }
    pthread_mutex_unlock(&library);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, nl_close, NULL);
    pthread_create(&b, NULL, nl_shutdown, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
