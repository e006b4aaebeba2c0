//: holds = "clean"
//: complete = true
//: options = ["--max-input=40"]
// Blocks of the input are written to the output, and as many are written as were read.
#include <stdio.h>

int main(void)
{
    char block[16];
    size_t length;
    while ((length = fread(block, 1, sizeof block, stdin)) > 0) {
        if (fwrite(block, 1, length, stdout) != length)
            return 1;
    }
    return ferror(stdin) ? 2 : 0;
}
