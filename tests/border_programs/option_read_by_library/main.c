//: holds = "honest"
//: args = ["-n", "@arg:1"]
//: witness = "x"
// A library that is not instrumented reads what an option of the program is given.
#include <stdlib.h>
#include <unistd.h>

int agrees(void);

int main(int argc, char **argv)
{
    while (getopt(argc, argv, "n:") == 'n')
        if (!agrees())
            abort(); // fails here
    return 0;
}
