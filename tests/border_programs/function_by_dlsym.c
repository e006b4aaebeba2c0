//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "d"
// A function of the library is looked up by its name, so that no call to it is seen in the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int (*next)(FILE *) = (int (*)(FILE *))dlsym(RTLD_DEFAULT, "fgetc");
    if (!next)
        return 1;
    if (next(stdin) == 'd')
        abort(); // fails here
    return 0;
}
