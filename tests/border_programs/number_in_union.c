//: holds = "honest"
//: function = "number_of"
//: witness = "number_of(&(struct value){.tag = 0, .number = 12345})"
// A union that has a pointer may hold a number.
#include <stdlib.h>

struct value {
    int tag;
    union {
        int number;
        struct value *inner;
    };
};

int number_of(const struct value *value)
{
    if (value && value->tag == 0 && value->number == 12345)
        abort(); // fails here
    return 0;
}
