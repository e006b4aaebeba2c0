// Parses a JSON text of given length with cJSON: no zero stands behind it.
#include "cJSON.h"
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cJSON_Delete(cJSON_ParseWithLength((const char *)data, size));
    return 0;
}
