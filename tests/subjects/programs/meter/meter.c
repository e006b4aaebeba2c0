// A meter that several would read and set: what it shows goes through every atomic operation.
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_uint shown = 1000;
static unsigned short least = 500;

int main(void)
{
    unsigned in[2];
    if (read(0, in, sizeof in) != (ssize_t)sizeof in)
        return 1;
    unsigned before = atomic_fetch_add(&shown, in[0]);
    atomic_fetch_xor(&shown, 0x55aa55aau);
    atomic_fetch_sub(&shown, 77);
    atomic_fetch_or(&shown, 0x80u);
    before += atomic_fetch_and(&shown, 0x0fffffffu);
    if (before != 0x12345678u)
        return 2;
    __atomic_fetch_min(&least, in[1] >> 16, __ATOMIC_RELAXED);
    unsigned old = atomic_exchange(&shown, in[1]);
    unsigned expected = 0x00c0ffeeu;
#ifdef REPAIRED
    expected |= 0xff000000u;
#endif
    if (atomic_compare_exchange_strong(&shown, &expected, old) && least == 0xc0)
        abort(); // fails here
    return atomic_load(&shown) == expected ? 0 : 3;
}
