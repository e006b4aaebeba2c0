// Loads any JSON value with jansson, dumps it, copies it and compares the two.
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_error_t error;
    json_object_seed(1);
    json_t *value = json_loadb((const char *)data, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (!value)
        return 0;
    free(json_dumps(value, JSON_ENCODE_ANY | JSON_INDENT(2) | JSON_SORT_KEYS));
    free(json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII));
    json_t *copy = json_deep_copy(value);
    (void)json_equal(value, copy);
    json_decref(copy);
    json_decref(value);
    return 0;
}
