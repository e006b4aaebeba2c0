// Parses JSON with yajl as a stream that is written out again, then as a tree.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>
#include <yajl/yajl_tree.h>

static int on_null(void *g) { return yajl_gen_null(g) == yajl_gen_status_ok; }
static int on_bool(void *g, int value) { return yajl_gen_bool(g, value) == yajl_gen_status_ok; }
static int on_map(void *g) { return yajl_gen_map_open(g) == yajl_gen_status_ok; }
static int on_map_end(void *g) { return yajl_gen_map_close(g) == yajl_gen_status_ok; }
static int on_array(void *g) { return yajl_gen_array_open(g) == yajl_gen_status_ok; }
static int on_array_end(void *g) { return yajl_gen_array_close(g) == yajl_gen_status_ok; }

static int on_number(void *g, const char *text, size_t length)
{
    return yajl_gen_number(g, text, length) == yajl_gen_status_ok;
}

static int on_string(void *g, const unsigned char *text, size_t length)
{
    return yajl_gen_string(g, text, length) == yajl_gen_status_ok;
}

static const yajl_callbacks callbacks = {
    on_null,   on_bool, NULL,      NULL,       on_number, on_string,
    on_map, on_string, on_map_end, on_array, on_array_end,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    yajl_gen writer = yajl_gen_alloc(NULL);
    yajl_gen_config(writer, yajl_gen_beautify, 1);
    yajl_gen_config(writer, yajl_gen_validate_utf8, 1);
    yajl_handle parser = yajl_alloc(&callbacks, NULL, writer);
    yajl_config(parser, yajl_allow_comments, 1);
    if (yajl_parse(parser, data, size) != yajl_status_ok || yajl_complete_parse(parser) != yajl_status_ok)
        yajl_free_error(parser, yajl_get_error(parser, 1, data, size));
    yajl_free(parser);
    yajl_gen_free(writer);

    char *text = malloc(size + 1), message[64];
    memcpy(text, data, size);
    text[size] = 0;
    yajl_tree_free(yajl_tree_parse(text, message, sizeof message));
    free(text);
    return 0;
}
