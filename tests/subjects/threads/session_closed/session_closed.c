// One thread closes a session that another still uses; both take the lock.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session {
    int requests;
} *session;
static unsigned char command;

static void *handle(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
#ifdef REPAIRED
    if (session)
#endif
        session->requests++; // fails here
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void close_session(void)
{
    pthread_mutex_lock(&lock);
    free(session);
#ifdef REPAIRED
    session = NULL;
#endif
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    if (read(0, &command, 1) != 1)
        return 1;
    session = calloc(1, sizeof *session);
    if (!session)
        return 2;
    pthread_t t;
    pthread_create(&t, NULL, handle, NULL);
    if (command == 'q')
        close_session();
    pthread_join(t, NULL);
    if (command != 'q')
        close_session();
    return 0;
}
