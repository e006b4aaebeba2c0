//: holds = "clean"
//: function = "last"
//: complete = true
// What the declaration says of pointers is kept to.
__attribute__((nonnull(2))) int last(int numbers[static 12], const int *other)
{
    return numbers[11] == *other;
}
