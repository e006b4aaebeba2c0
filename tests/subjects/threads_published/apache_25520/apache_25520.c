// Apache 25520 (mod_log_config): lines of a buffered log are put behind each other without a lock, so
// that two threads write to the same place, and the log has more bytes than were written.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define LINE 4

static struct {
    pthread_mutex_t mutex;
    unsigned outcnt;
    char outbuf[2 * LINE];
} buf = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void *buffered_log_writer(void *line)
{
#ifdef REPAIRED
    pthread_mutex_lock(&buf.mutex);
#endif
    char *s = &buf.outbuf[buf.outcnt]; // or here
    memcpy(s, line, LINE); // or here
    buf.outcnt += LINE; // or here
#ifdef REPAIRED
    pthread_mutex_unlock(&buf.mutex);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, buffered_log_writer, "GET\n");
    pthread_create(&b, NULL, buffered_log_writer, "PUT\n");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(buf.outcnt == 2 * LINE && memcmp(buf.outbuf, buf.outbuf + LINE, LINE) != 0); // fails here
    return 0;
}
