//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
//: witness = "x"
// Of a file's name, nothing is read that lies behind it.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    char name[16];
    char *other;
} both;

int main(void)
{
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    strcpy(both.name, "/nowhere/at/all");
    both.other = &c;
    if (access(both.name, F_OK) == 0)
        return 2;
    if (c == 'x')
        abort(); // fails here
    return 0;
}
