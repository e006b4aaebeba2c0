// Parses JSON with json-c, strictly and not, and prints the value in three ways.
#include <json.h>
#include <stddef.h>
#include <stdint.h>

static void parse(const uint8_t *data, size_t size, int flags)
{
    struct json_tokener *tokener = json_tokener_new_ex(8);
    json_tokener_set_flags(tokener, flags);
    struct json_object *value = json_tokener_parse_ex(tokener, (const char *)data, (int)size);
    if (value) {
        (void)json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
        (void)json_object_to_json_string_ext(value, JSON_C_TO_STRING_SPACED);
        (void)json_object_to_json_string_ext(value, JSON_C_TO_STRING_PRETTY);
        (void)json_object_get_int64(value);
        json_object_put(value);
    } else {
        (void)json_tokener_error_desc(json_tokener_get_error(tokener));
    }
    json_tokener_free(tokener);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse(data, size, 0);
    parse(data, size, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    return 0;
}
