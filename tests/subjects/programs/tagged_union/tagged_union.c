// A union whose tag is checked for one of two uses only.
#include <stdint.h>
#include <string.h>
#include <unistd.h>

struct message {
    unsigned char tag;
    union {
        uint64_t number;
        const char *text;
    } body;
};

int main(void)
{
    unsigned char b[9];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    struct message m;
    memset(&m, 0, sizeof m);
    m.tag = b[0];
    memcpy(&m.body.number, b + 1, 8);
    if (m.tag == 'n')
        return (int)(m.body.number & 1);
    m.body.number &= 0xfff;
#ifdef REPAIRED
    if (m.tag == 't' && m.body.number == 0x123)
        return 2;
#else
    if (m.tag == 't' && m.body.number == 0x123)
        return *(volatile const char *)m.body.text; // fails here
#endif
    return 3;
}
