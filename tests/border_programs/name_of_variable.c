//: holds = "found"
//: options = ["--input-size=1"]
//: complete = true
//: witness = "X"
// The name of a variable of the environment is changed after it was put there.
#include <stdlib.h>
#include <unistd.h>

static char variable[] = "?OO=a";

int main(void)
{
    putenv(variable);
    if (read(0, variable, 1) != 1)
        return 1;
    if (getenv("XOO"))
        abort(); // fails here
    return 0;
}
