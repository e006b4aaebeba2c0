//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
// `alarm` is a function of the program: no signal comes, and what it returns counts.
#include <stdio.h>
#include <stdlib.h>

int alarm(int degrees);

int main(void)
{
    int c = getchar();
    if (alarm(70) == 1 && c == 'a')
        abort(); // fails here
    return 0;
}
