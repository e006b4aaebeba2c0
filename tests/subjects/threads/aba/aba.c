// Atomics: compare-and-exchange finds the node it expects at the top of a stack; that it has been
// away meanwhile it cannot see. With a count beside it, it can.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

// Nodes are numbered from 1; 0 is the end. The top is a node and, in the twin, a count of changes.
static atomic_uint next_of[3] = {0, 2, 0};
static atomic_uint top = 1;
static atomic_uint taken[3];

#ifdef REPAIRED
static unsigned changed(unsigned before, unsigned node)
{
    return ((before >> 8) + 1) << 8 | node;
}
#else
static unsigned changed(unsigned before, unsigned node)
{
    (void)before;
    return node;
}
#endif

static unsigned pop(void)
{
    unsigned before = atomic_load(&top), node;
    do {
        node = before & 0xff;
        if (node == 0)
            return 0;
    } while (!atomic_compare_exchange_strong(&top, &before,
                                             changed(before, atomic_load(&next_of[node]))));
    unsigned owners = atomic_fetch_add(&taken[node], 1);
    assert(owners == 0); // fails here
    return node;
}

static void push(unsigned node)
{
    atomic_fetch_sub(&taken[node], 1);
    unsigned before = atomic_load(&top);
    do
        atomic_store(&next_of[node], before & 0xff);
    while (!atomic_compare_exchange_strong(&top, &before, changed(before, node)));
}

static void *take_one(void *unused)
{
    (void)unused;
    pop();
    pop();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, take_one, NULL);
    unsigned first = pop();
    pop();
    if (first)
        push(first);
    pthread_join(t, NULL);
    return 0;
}
