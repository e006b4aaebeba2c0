// The public-key protocol of Needham and Schroeder, with an intruder who is the network: he hears
// every message, opens those under his own key, sends on what he cannot open, and makes new ones of
// what he knows. With whom the initiator begins and what the intruder does are the input. Lowe's
// attack makes the responder believe in a session that the initiator never began; in the twin the
// second message names the responder, as Lowe proposed.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

// All that messages are made of: names and nonces. A name is also the name of a public key.
enum { NOTHING, ALICE, BOB, INTRUDER, NONCE_A, NONCE_B, NONCE_I };

struct message {
    int key;     // who can open it; NOTHING: not a message but the news that
    int part[3]; // nothing more is coming
    int from;
    int last; // the sender will not answer any more
};

struct queue {
    pthread_mutex_t lock;
    sem_t filled;
    struct message slot[8];
    int in, out;
};

static struct queue network, alice_box, bob_box;
static unsigned char input[16];
static atomic_int alice_began_with;

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

static void finish(int who)
{
    put(&network, (struct message){.key = NOTHING, .from = who, .last = 1});
}

static void *alice(void *unused)
{
    (void)unused;
    int partner = input[0] == BOB ? BOB : INTRUDER;
    atomic_store(&alice_began_with, partner);
    put(&network, (struct message){.key = partner, .part = {NONCE_A, ALICE}, .from = ALICE});
    struct message m = get(&alice_box);
    int good = m.key == ALICE && m.part[0] == NONCE_A;
#ifdef REPAIRED
    good = good && m.part[2] == partner;
#endif
    if (good)
        put(&network, (struct message){
                          .key = partner, .part = {m.part[1]}, .from = ALICE, .last = 1});
    else
        finish(ALICE);
    return NULL;
}

static void *bob(void *unused)
{
    (void)unused;
    struct message m = get(&bob_box);
    int partner = m.part[1];
    if (m.key == BOB && (partner == ALICE || partner == INTRUDER)) {
        put(&network,
            (struct message){.key = partner, .part = {m.part[0], NONCE_B, BOB}, .from = BOB});
        m = get(&bob_box);
        if (m.key == BOB && m.part[0] == NONCE_B && partner == ALICE)
            assert(atomic_load(&alice_began_with) == BOB); // fails here
    }
    finish(BOB);
    return NULL;
}

static int known[16] = {ALICE, BOB, INTRUDER, NONCE_I};
static int number_known = 4;
static struct message heard[8];
static int number_heard;

static void learn(struct message m)
{
    if (m.key == INTRUDER)
        for (int i = 0; i < 3; i++)
            known[number_known++] = m.part[i];
    else if (m.key != NOTHING)
        heard[number_heard++] = m;
}

static int any(unsigned char number)
{
    return known[number % number_known];
}

// What the intruder does in one step: b is whether to make a message or to send one on, to whom,
// and its parts or its number.
static struct message choose(const unsigned char *b)
{
    if (b[0] == 1)
        return (struct message){.key = b[1] == ALICE ? ALICE : BOB,
                                .part = {any(b[2]), any(b[3]), any(b[4])}};
    for (int i = 0; i < number_heard; i++)
        if (b[2] == i)
            return heard[i];
    return (struct message){.key = NOTHING};
}

static void *intruder(void *unused)
{
    (void)unused;
    int awaited = 1, alive[] = {[ALICE] = 1, [BOB] = 1};
    for (int step = 0; step < 3; step++) {
        if (awaited > 0) {
            struct message m = get(&network);
            awaited--;
            learn(m);
            if (m.last)
                alive[m.from] = 0;
        }
        const unsigned char *b = &input[1 + 5 * step];
        struct message m = choose(b);
        int to = b[1] == ALICE ? ALICE : BOB;
        if (m.key == NOTHING || !alive[to])
            continue;
        put(to == ALICE ? &alice_box : &bob_box, m);
        awaited++;
    }
    put(&alice_box, (struct message){.key = NOTHING});
    put(&bob_box, (struct message){.key = NOTHING});
    put(&bob_box, (struct message){.key = NOTHING});
    return NULL;
}

int main(void)
{
    if (read(0, input, sizeof input) != (ssize_t)sizeof input)
        return 1;
    struct queue *queues[] = {&network, &alice_box, &bob_box};
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&queues[i]->lock, NULL);
        sem_init(&queues[i]->filled, 0, 0);
    }
    void *(*const threads[])(void *) = {alice, bob, intruder};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, threads[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
