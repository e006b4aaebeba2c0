//: holds = "found"
//: complete = true
//: options = ["--input-size=4"]
// `%n` stores how much was printed, which is the length of a text of the input.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char name[5] = "";
    int printed = 0;
    if (read(0, name, 4) != 4)
        return 1;
    printf("%s%n\n", name, &printed);
    if (printed == 3)
        abort(); // fails here
    return 0;
}
