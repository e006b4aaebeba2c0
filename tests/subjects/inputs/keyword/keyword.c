/* A keyword that is known by its hash only; what it switches on was never meant for others. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[5];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    uint32_t hash = 5381;
    for (int i = 0; i < 5; i++) {
        if (b[i] < 'a' || b[i] > 'z')
            return 1;
        hash = hash * 33u ^ b[i];
    }
    if (hash == 0x0bb40a3du)
        abort(); // fails here
    return 0;
}
