// Loads all documents of a YAML stream with libyaml and writes each out again.
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <yaml.h>

static unsigned char text[1 << 16];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    yaml_parser_t parser;
    yaml_emitter_t emitter;
    size_t written = 0;
    if (!yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_input_string(&parser, data, size);
    if (!yaml_emitter_initialize(&emitter)) {
        yaml_parser_delete(&parser);
        return 0;
    }
    yaml_emitter_set_output_string(&emitter, text, sizeof text, &written);
    for (int more = yaml_emitter_open(&emitter); more;) {
        yaml_document_t document;
        if (!yaml_parser_load(&parser, &document))
            break;
        more = yaml_document_get_root_node(&document) != NULL;
        if (more)
            more = yaml_emitter_dump(&emitter, &document);
        else
            yaml_document_delete(&document);
    }
    yaml_emitter_delete(&emitter);
    yaml_parser_delete(&parser);
    return 0;
}
