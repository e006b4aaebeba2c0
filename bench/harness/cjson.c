// Parses a JSON text with cJSON, prints the value both ways, compares it with a copy and frees all.
#include <cJSON.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cJSON *value = cJSON_ParseWithLength((const char *)data, size);
    if (!value)
        return 0;
    char *text = cJSON_PrintBuffered(value, 16, 1);
    char *dense = cJSON_PrintUnformatted(value);
    cJSON *copy = cJSON_Duplicate(value, 1);
    (void)cJSON_Compare(value, copy, 1);
    if (dense)
        cJSON_Minify(dense);
    cJSON_free(text);
    cJSON_free(dense);
    cJSON_Delete(copy);
    cJSON_Delete(value);
    return 0;
}
