/* libyaml. */
/* Link: -lyaml */
#include <string.h>
#include <yaml.h>

/* yaml_parser_initialize, yaml_parser_set_input_string, yaml_parser_parse, yaml_event_delete */
static long events(char *s, size_t n)
{
    yaml_parser_t p;
    yaml_event_t e;
    long r = 0;
    int done = 0;
    yaml_parser_initialize(&p);
    yaml_parser_set_input_string(&p, (const unsigned char *)s, n);
    while (!done) {
        if (!yaml_parser_parse(&p, &e)) {
            r = -(long)p.error;
            break;
        }
        r = (r * 11 + (long)e.type) & 0xfffff;
        done = e.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&e);
    }
    yaml_parser_delete(&p);
    return r;
}

/* yaml_parser_load, yaml_document_get_root_node, yaml_document_delete */
static long document(char *s, size_t n)
{
    yaml_parser_t p;
    yaml_document_t d;
    yaml_node_t *root;
    long r = -1;
    yaml_parser_initialize(&p);
    yaml_parser_set_input_string(&p, (const unsigned char *)s, n);
    if (yaml_parser_load(&p, &d)) {
        root = yaml_document_get_root_node(&d);
        r = !root ? 0
            : root->type == YAML_SCALAR_NODE
                ? 256 + (n ? root->data.scalar.value[0] : 0)
                : (long)root->type;
        yaml_document_delete(&d);
    }
    yaml_parser_delete(&p);
    return r;
}

/* yaml_parser_scan, yaml_token_delete */
static long tokens(char *s, size_t n)
{
    yaml_parser_t p;
    yaml_token_t t;
    long r = 0;
    int done = 0;
    yaml_parser_initialize(&p);
    yaml_parser_set_input_string(&p, (const unsigned char *)s, n);
    while (!done) {
        if (!yaml_parser_scan(&p, &t)) {
            r = -1;
            break;
        }
        r = r * 2 + (t.type == YAML_SCALAR_TOKEN);
        done = t.type == YAML_STREAM_END_TOKEN;
        yaml_token_delete(&t);
    }
    yaml_parser_delete(&p);
    return r & 0xffff;
}

/* yaml_emitter_initialize, yaml_emitter_set_output_string, yaml_emitter_emit */
static size_t emitted(char *s, long v)
{
    yaml_emitter_t e;
    yaml_event_t event;
    unsigned char out[128], text[8];
    size_t m = 0;
    int ok;
    memset(out, 0, sizeof out);
    text[0] = (unsigned char)('a' + (v & 15));
    text[1] = '\0';
    yaml_emitter_initialize(&e);
    yaml_emitter_set_output_string(&e, out, sizeof out, &m);
    ok = yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING) && yaml_emitter_emit(&e, &event) &&
         yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1) && yaml_emitter_emit(&e, &event) &&
         yaml_scalar_event_initialize(&event, NULL, NULL, text, 1, 1, 1, YAML_PLAIN_SCALAR_STYLE) &&
         yaml_emitter_emit(&e, &event) && yaml_document_end_event_initialize(&event, 1) &&
         yaml_emitter_emit(&e, &event) && yaml_stream_end_event_initialize(&event) &&
         yaml_emitter_emit(&e, &event);
    yaml_emitter_delete(&e);
    if (!ok || m > 60)
        m = 0;
    memcpy(s, out, m);
    s[m] = '\0';
    return m;
}
