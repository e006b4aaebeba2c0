//: holds = "found"
//: complete = true
//: options = ["--max-input=5"]
// Lines are counted by what `fputc` returns while the input is copied to the output.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c, lines = 0;
    while ((c = getchar()) != EOF) {
        if (fputc(c, stdout) == '\n')
            lines++;
        if (lines == 3)
            abort(); // fails here
    }
    return 0;
}
