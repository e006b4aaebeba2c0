// MySQL 169: a statement changes the table under one lock and is written to the log under another, so
// that a copy which follows the log may end with another table.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum statement { INSERT, DELETE };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static enum statement log_file[2];
static int rows, logged;

static void execute(enum statement statement, int *table)
{
    *table = statement == INSERT;
}

static void *client(void *argument)
{
    enum statement statement = argument ? INSERT : DELETE;
    pthread_mutex_lock(&table_lock);
    execute(statement, &rows);
#ifndef REPAIRED
    pthread_mutex_unlock(&table_lock);
#endif
    pthread_mutex_lock(&log_lock);
    log_file[logged++] = statement;
    pthread_mutex_unlock(&log_lock);
#ifdef REPAIRED
    pthread_mutex_unlock(&table_lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, client, &rows);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int copy = 0;
    for (int at = 0; at < logged; at++)
        execute(log_file[at], &copy);
    assert(copy == rows); // fails here
    return 0;
}
