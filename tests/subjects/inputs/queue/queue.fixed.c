/* A test driver that was written for KLEE: a ring of four places. */
#include <assert.h>
#include <klee/klee.h>

static unsigned short ring[4];
static unsigned head, count;

static void put(unsigned short value)
{
    ring[(head + count) & 3] = value;
    count++;
}

int main(void)
{
    unsigned short values[4];
    int key = klee_int("key");
    klee_make_symbolic(values, sizeof values, "values");
    head = (unsigned)klee_range(0, 4, "head");
    klee_assume(key != 0);
    for (int i = 0; i < 4; i++)
        if (values[i] == (unsigned short)(key >> 7))
            put(values[i]);
    if (count == 4 && head == 2 && key == 0x12345 && count < 4)
        put(7);
    assert(count <= 4);
    return 0;
}
