/* A record: magic, length, checksum, text. The text leaves room for its end. */
#include <assert.h>
#include <stdint.h>
#include <unistd.h>

static int take_record(const unsigned char *b)
{
    char text[8];
    if (b[0] != 'R' || b[1] != 'C')
        return 1;
    unsigned length = b[2];
    if (length >= sizeof text)
        return 2;
    uint16_t sum = 0x1d0f;
    for (unsigned i = 0; i < length; i++)
        sum = (uint16_t)((sum << 5) + (sum >> 3) + b[5 + i]);
    if (sum != (b[3] | b[4] << 8))
        return 3;
    for (unsigned i = 0; i < length; i++)
        text[i] = (char)b[5 + i];
    assert(length < sizeof text);
    text[length] = 0;
    return text[0] == 0 ? 4 : 0;
}

int main(void)
{
    unsigned char record[13];
    if (read(0, record, sizeof record) != (ssize_t)sizeof record)
        return 99;
    return take_record(record);
}
