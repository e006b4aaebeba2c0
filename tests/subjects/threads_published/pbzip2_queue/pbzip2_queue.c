// pbzip2 0.9.4: main waits for the thread that writes the output, but not for those that compress,
// and then deletes the queue of blocks, in which these may yet look for another block.
#include <pthread.h>
#include <stdlib.h>

#define BLOCKS 1

struct queue {
    pthread_mutex_t *mutex;
    pthread_cond_t *not_empty;
    int blocks[BLOCKS], first, after, all_read;
};

static pthread_mutex_t output_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t output_ready = PTHREAD_COND_INITIALIZER;
static int compressed;

static struct queue *queue_init(void)
{
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue || !(queue->mutex = malloc(sizeof *queue->mutex)) ||
        !(queue->not_empty = malloc(sizeof *queue->not_empty)))
        exit(1);
    pthread_mutex_init(queue->mutex, NULL);
    pthread_cond_init(queue->not_empty, NULL);
    return queue;
}

static void queue_delete(struct queue *queue)
{
    pthread_mutex_destroy(queue->mutex); // or here
    free(queue->mutex);
    pthread_cond_destroy(queue->not_empty);
    free(queue->not_empty);
    free(queue); // or here
}

static void *consumer(void *argument)
{
    struct queue *queue = argument;
    for (;;) {
        pthread_mutex_lock(queue->mutex); // fails here
        while (queue->first == queue->after) { // or here
            if (queue->all_read) { // or here
                pthread_mutex_unlock(queue->mutex); // or here
                return NULL;
            }
            pthread_cond_wait(queue->not_empty, queue->mutex);
        }
        queue->first++;
        pthread_mutex_unlock(queue->mutex);
        pthread_mutex_lock(&output_mutex);
        compressed++;
        pthread_cond_signal(&output_ready);
        pthread_mutex_unlock(&output_mutex);
    }
}

static void *file_writer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&output_mutex);
    while (compressed < BLOCKS)
        pthread_cond_wait(&output_ready, &output_mutex);
    pthread_mutex_unlock(&output_mutex);
    return NULL;
}

static void producer(struct queue *queue)
{
    pthread_mutex_lock(queue->mutex);
    for (int block = 0; block < BLOCKS; block++)
        queue->blocks[queue->after++] = block;
    queue->all_read = 1;
    pthread_cond_broadcast(queue->not_empty);
    pthread_mutex_unlock(queue->mutex);
}

int main(void)
{
    struct queue *queue = queue_init();
    pthread_t compressing, writing;
    pthread_create(&compressing, NULL, consumer, queue);
    pthread_create(&writing, NULL, file_writer, NULL);
    producer(queue);
    pthread_join(writing, NULL);
#ifdef REPAIRED
    pthread_join(compressing, NULL);
#endif
    queue_delete(queue);
    return 0;
}
