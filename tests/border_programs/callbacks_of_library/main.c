//: holds = "honest"
//: options = ["--max-input=6"]
//: witness = "(())"
// A library parses input in a buffer of its own, and calls back into the program for what it meets.
#include "library.h"
#include <stdio.h>
#include <stdlib.h>

static int depth, deepest;

static void opened(void)
{
    if (++depth > deepest)
        deepest = depth;
}

static void closed(void) { depth--; }

int main(void)
{
    struct parser *parser = parser_new(opened, closed);
    if (!parser)
        return 1;
    size_t room;
    char *buffer = parser_buffer(parser, &room);
    size_t length = fread(buffer, 1, room, stdin);
    if (parser_parse(parser, length) != 0)
        return 2;
    if (deepest == 2)
        abort(); // fails here
    return 0;
}
