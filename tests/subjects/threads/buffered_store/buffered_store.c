// Each thread stores and then reads what the other stores. The processor's own fence, as assembly and as what the compiler
// has for it, makes others see the store first. What is stored comes from the input.
#include <emmintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_uchar x, y;
static unsigned char seen[2], input;

static void *first(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, input, memory_order_release);
#ifdef REPAIRED
    __asm__ volatile("mfence" ::: "memory");
#else
    __asm__ volatile("" ::: "memory");
#endif
    seen[0] = atomic_load_explicit(&y, memory_order_acquire);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_release);
#ifdef REPAIRED
    _mm_mfence();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
    seen[1] = atomic_load_explicit(&x, memory_order_acquire);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    if (read(0, &input, 1) != 1)
        return 1;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (input == 'k' && !seen[0] && !seen[1])
        abort(); // fails here
    return 0;
}
