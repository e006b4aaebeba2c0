/* A harness for libFuzzer: messages of a kind, a length and a body. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned depth = 0;
    if (size < 2 || data[0] != 0xc3 || data[1] != 0x5a)
        return 0;
    for (size_t i = 2; i < size; i++) {
        if (data[i] == '(')
            depth++;
        else if (data[i] == ')' && depth > 0)
            depth--;
        else
            return 0;
        if (depth > 3)
            abort();
    }
    return 0;
}
