// A harness as libFuzzer takes it.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 5)
        return 0;
    if (data[0] == 'F' && data[1] == 'U' && data[2] == 'Z' && data[3] == 'Z') {
#ifdef REPAIRED
        if (data[size - 1] == 0x7e)
            return 0;
#else
        if (data[size - 1] == 0x7e)
            abort(); // fails here
#endif
    }
    return 0;
}
