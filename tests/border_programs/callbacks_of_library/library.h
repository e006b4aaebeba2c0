// A parser of nested text that tells its caller what it meets.
#include <stddef.h>

struct parser;

struct parser *parser_new(void (*opened)(void), void (*closed)(void));
char *parser_buffer(struct parser *parser, size_t *size);
int parser_parse(struct parser *parser, size_t length);
