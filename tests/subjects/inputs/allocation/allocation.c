/* A table of records: the size in bytes is computed in 32 bits, and wraps. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

struct record { uint32_t id, from, to; };

int main(void)
{
    uint32_t header[2];
    if (read(0, header, sizeof header) != (ssize_t)sizeof header)
        return 99;
    if (header[0] != 0x7ab1e000u)
        return 1;
    uint32_t count = header[1];
    uint32_t bytes = count * (uint32_t)sizeof(struct record);
    if (bytes == 0 || bytes > 16)
        return 2;
    struct record *table = malloc(16);
    if (!table)
        return 3;
    table[0].id = 1;
    table[count - 1].to = 7; // fails here
    int first = table[0].to == 7;
    free(table);
    return first ? 0 : 4;
}
