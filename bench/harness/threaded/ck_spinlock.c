// Concurrency Kit's spin locks, all in assembly: two threads count under each of them.
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>
#include <stddef.h>

static ck_spinlock_fas_t fas = CK_SPINLOCK_FAS_INITIALIZER;
static ck_spinlock_ticket_t ticket = CK_SPINLOCK_TICKET_INITIALIZER;
static int by_fas, by_ticket;

static void *add(void *unused)
{
    (void)unused;
    ck_spinlock_fas_lock(&fas);
    by_fas++;
    ck_spinlock_fas_unlock(&fas);
    ck_spinlock_ticket_lock(&ticket);
    by_ticket++;
    ck_spinlock_ticket_unlock(&ticket);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(by_fas == 2 && by_ticket == 2);
    return 0;
}
