//: holds = "honest"
//: options = ["--input-size=4"]
//: witness = "stop"
// A lock file is made before anything is read: where that is refused, the program takes another way than outside.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char name[] = "/tmp/lock-XXXXXX";
    int lock = mkstemp(name);
    if (lock >= 0)
        unlink(name);
    char word[5] = "";
    if (fread(word, 1, 4, stdin) != 4)
        return 1;
    if (lock < 0)
        return word[0] == '?';
    if (strcmp(word, "stop") == 0)
        abort(); // fails here
    return 0;
}
