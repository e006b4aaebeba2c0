#include <stdlib.h>

struct __attribute__((packed)) key {
    char kind;
    char *text;
};

int agrees(const struct key *key) { return key->text[0] != 'x'; }
