// Concurrency Kit's ck_ring: two threads enqueue, one dequeues; each item comes once.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stdint.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];

static void *enqueue(void *item)
{
    assert(ck_ring_enqueue_mpsc(&ring, buffer, item));
    return NULL;
}

int main(void)
{
    ck_ring_init(&ring, 4);
    pthread_t a, b;
    pthread_create(&a, NULL, enqueue, (void *)1);
    pthread_create(&b, NULL, enqueue, (void *)2);
    uintptr_t sum = 0;
    void *item;
    if (ck_ring_dequeue_mpsc(&ring, buffer, &item))
        sum += (uintptr_t)item;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    while (ck_ring_dequeue_mpsc(&ring, buffer, &item))
        sum += (uintptr_t)item;
    assert(sum == 3);
    return 0;
}
