//: holds = "honest"
//: function = "key_of"
//: witness = "key_of(&(struct entry){4, {0}}.link)"
// A part of an object leads to the whole, which nobody gave.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next;
};

struct entry {
    long key;
    struct link link;
};

int key_of(struct link *link)
{
    if (!link)
        return 0;
    struct entry *entry = (struct entry *)((char *)link - offsetof(struct entry, link));
    if (entry->key == 4)
        abort(); // fails here
    return 1;
}
