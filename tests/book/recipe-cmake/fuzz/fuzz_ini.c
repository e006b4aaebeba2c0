// A harness for libFuzzer: Elsewise runs it as it is.
#include "ini.h"
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ini_line line;

    ini_parse((const char *)data, size, &line);
    return 0;
}
