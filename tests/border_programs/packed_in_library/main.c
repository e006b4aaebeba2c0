//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A pointer in a packed structure is no whole word.
#include <stdlib.h>
#include <unistd.h>

struct __attribute__((packed)) key {
    char kind;
    char *text;
};

int agrees(const struct key *key);

int main(void)
{
    struct key *key = malloc(sizeof *key);
    char *text = malloc(4);
    key->kind = 't';
    key->text = text;
    if (read(0, text, 1) != 1)
        return 1;
    if (!agrees(key))
        abort(); // fails here
    return 0;
}
