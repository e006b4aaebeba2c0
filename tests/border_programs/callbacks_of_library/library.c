// The parser: the input lies in a buffer of its own, and brackets are told one by one.
#include "library.h"
#include <stdlib.h>

struct parser {
    void (*opened)(void), (*closed)(void);
    char buffer[64];
};

struct parser *parser_new(void (*opened)(void), void (*closed)(void))
{
    struct parser *parser = calloc(1, sizeof *parser);
    if (parser) {
        parser->opened = opened;
        parser->closed = closed;
    }
    return parser;
}

char *parser_buffer(struct parser *parser, size_t *size)
{
    *size = sizeof parser->buffer;
    return parser->buffer;
}

int parser_parse(struct parser *parser, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (parser->buffer[i] == '(')
            parser->opened();
        else if (parser->buffer[i] == ')')
            parser->closed();
        else
            return -1;
    }
    return 0;
}
