//: holds = "found"
//: options = ["--input-size=1"]
//: witness = "\u0001"
// Which stream is written depends on the input.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(void)
{
    FILE *file = fdopen(memfd_create("file", 0), "w");
    FILE *both[2] = {stdout, file};
    int c = getchar();
    if (!file || c == EOF)
        return 1;
    fputc('a', both[c & 1]);
    if (ftell(file) == 1)
        abort(); // fails here
    return 0;
}
