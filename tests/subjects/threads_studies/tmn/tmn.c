// The protocol of Tatebayashi, Matsuzaki and Newman: a server hands the responder's key on to the
// initiator, hidden by the initiator's. Keys travel sealed for the server, with the name of who
// sealed them. The intruder hears what is sent and begins a session of his own beside it, in which
// he answers in the responder's name; whom he names and which of the sealed keys he sends are the
// input. In the twin it is sealed as well for whom a key is meant.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

enum { NOBODY, ALICE, BOB, INTRUDER, NAMES };
enum { KEY_A = 0x35, KEY_B = 0x5c, KEY_I = 0x71 };

struct sealed {
    int by, meant_for, key;
};

struct message {
    int begins; // a session, or answers in one
    int initiator, responder;
    struct sealed sealed;
};

struct queue {
    pthread_mutex_t lock;
    sem_t filled;
    struct message slot[4];
    int in, out;
};

static struct queue server_box, bob_box, alice_box;
static unsigned char input[3];
static pthread_mutex_t air = PTHREAD_MUTEX_INITIALIZER;
static struct sealed heard[NAMES]; // by whom; what the intruder has heard, or made himself
static int hidden_for_intruder = -1;

static void put(struct queue *q, struct message m)
{
    pthread_mutex_lock(&q->lock);
    q->slot[q->in++] = m;
    pthread_mutex_unlock(&q->lock);
    sem_post(&q->filled);
}

static struct message get(struct queue *q)
{
    sem_wait(&q->filled);
    pthread_mutex_lock(&q->lock);
    struct message m = q->slot[q->out++];
    pthread_mutex_unlock(&q->lock);
    return m;
}

// What is sent to the server can be heard.
static void send(struct message m)
{
    pthread_mutex_lock(&air);
    heard[m.sealed.by] = m.sealed;
    pthread_mutex_unlock(&air);
    put(&server_box, m);
}

static void *alice(void *unused)
{
    (void)unused;
    send((struct message){1, ALICE, BOB, {ALICE, BOB, KEY_A}});
    get(&alice_box);
    return NULL;
}

static void *bob(void *unused)
{
    (void)unused;
    struct message m = get(&bob_box);
    send((struct message){0, m.initiator, BOB, {BOB, m.initiator, KEY_B}});
    return NULL;
}

static void *intruder(void *unused)
{
    (void)unused;
    int other = input[0] == ALICE ? ALICE : BOB;
    struct sealed own = {INTRUDER, other, KEY_I};
    put(&server_box, (struct message){1, INTRUDER, other, own});
    struct message m = {0, INTRUDER, input[1] == ALICE ? ALICE : BOB, own};
    pthread_mutex_lock(&air);
    if (input[2] == ALICE)
        m.sealed = heard[ALICE];
    else if (input[2] == BOB)
        m.sealed = heard[BOB];
    pthread_mutex_unlock(&air);
    put(&server_box, m);
    return NULL;
}

static int is_genuine(struct sealed sealed, int by, int meant_for)
{
#ifdef REPAIRED
    return sealed.by == by && sealed.meant_for == meant_for;
#else
    (void)meant_for;
    return sealed.by == by;
#endif
}

static void *server(void *unused)
{
    (void)unused;
    struct message session[NAMES] = {{0}};
    for (int i = 0; i < 4; i++) {
        struct message m = get(&server_box);
        if (m.begins) {
            if (!is_genuine(m.sealed, m.initiator, m.responder))
                continue;
            session[m.initiator] = m;
            // The intruder keeps what the server asks on his behalf from getting through.
            if (m.initiator == ALICE)
                put(&bob_box, m);
        } else {
            struct message begun = session[m.initiator];
            if (!begun.begins || begun.responder != m.responder ||
                !is_genuine(m.sealed, m.responder, m.initiator))
                continue;
            m.sealed.key ^= begun.sealed.key;
            if (m.initiator == ALICE)
                put(&alice_box, m);
            else
                hidden_for_intruder = m.sealed.key;
        }
    }
    return NULL;
}

int main(void)
{
    if (read(0, input, sizeof input) != (ssize_t)sizeof input)
        return 1;
    struct queue *queues[] = {&server_box, &bob_box, &alice_box};
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&queues[i]->lock, NULL);
        sem_init(&queues[i]->filled, 0, 0);
    }
    void *(*const threads[])(void *) = {alice, bob, intruder, server};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, threads[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    int learnt = hidden_for_intruder ^ KEY_I;
    assert(learnt != KEY_B); // fails here
    return 0;
}
