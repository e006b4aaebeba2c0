// Concurrency Kit's ck_stack: two threads push, one takes all that there is; nothing is lost.
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stddef.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];

static void *push(void *entry)
{
    ck_stack_push_upmc(&stack, entry);
    return NULL;
}

static int count(ck_stack_entry_t *entry)
{
    int found = 0;
    for (; entry; entry = CK_STACK_NEXT(entry))
        found++;
    return found;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, push, &entries[0]);
    pthread_create(&b, NULL, push, &entries[1]);
    int found = count(ck_stack_batch_pop_upmc(&stack));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    found += count(ck_stack_batch_pop_upmc(&stack));
    assert(found == 2);
    return 0;
}
