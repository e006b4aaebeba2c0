// How much is written is known only when it is done.
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>

static char address[INET_ADDRSTRLEN];

static void *writes(void *unused)
{
    (void)unused;
    struct in_addr local = {htonl(INADDR_LOOPBACK)};
    inet_ntop(AF_INET, &local, address, sizeof address);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    assert(address[0] == 0);
    pthread_join(thread, NULL);
    return 0;
}
