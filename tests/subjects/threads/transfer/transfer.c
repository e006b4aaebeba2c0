// Two transfers between accounts that the input names: a deadlock where they go opposite ways.
#include <pthread.h>
#include <unistd.h>

static struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[3] = {
    {PTHREAD_MUTEX_INITIALIZER, 10},
    {PTHREAD_MUTEX_INITIALIZER, 10},
    {PTHREAD_MUTEX_INITIALIZER, 10},
};

struct transfer {
    struct account *from, *to;
};

static struct account *account(unsigned char number)
{
    switch (number) {
    case 0:
        return &accounts[0];
    case 1:
        return &accounts[1];
    case 2:
        return &accounts[2];
    }
    return NULL;
}

static void *transfer(void *arg)
{
    struct transfer *t = arg;
    struct account *first = t->from, *second = t->to;
#ifdef REPAIRED
    if (first > second) {
        first = t->to;
        second = t->from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock); // fails here
    t->from->balance--;
    t->to->balance++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
    return NULL;
}

int main(void)
{
    unsigned char b[4];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    struct transfer a = {account(b[0]), account(b[1])}, c = {account(b[2]), account(b[3])};
    if (!a.from || !a.to || !c.from || !c.to || a.from == a.to || c.from == c.to)
        return 2;
    pthread_t s, t;
    pthread_create(&s, NULL, transfer, &a);
    pthread_create(&t, NULL, transfer, &c);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
