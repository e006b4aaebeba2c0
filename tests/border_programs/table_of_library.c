//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// A key of the C library's table changes after it was put there.
#include <search.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    static char key[] = "?OO";
    hcreate(8);
    hsearch((ENTRY){.key = key}, ENTER);
    if (read(0, key, 1) != 1)
        return 1;
    static char again[] = "?OO";
    if (!hsearch((ENTRY){.key = again}, FIND))
        abort(); // fails here
    return 0;
}
