//: holds = "found"
//: complete = true
//: options = ["--max-input=6"]
//: cflags = "-std=c99"
// `getline` is a function of the program, as old textbooks have it: its arguments are others.
#include <stdlib.h>

int getline(char line[], int room);

int main(void)
{
    char line[80];
    int length;
    while ((length = getline(line, 80)) > 0) {
        if (length == 3 && line[0] == 'o' && line[1] == 'k')
            abort(); // fails here
    }
    return 0;
}
