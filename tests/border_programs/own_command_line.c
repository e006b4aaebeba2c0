//: holds = "honest"
//: args = ["@arg:2"]
//: witness = "go"
// A program that reads its own arguments from a file of the kernel.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[4096];
    int file = open("/proc/self/cmdline", O_RDONLY);
    ssize_t length = read(file, line, sizeof line - 1);
    if (length <= 0)
        return 1;
    line[length] = '\0';
    const char *argument = line + strlen(line) + 1;
    if (strcmp(argument, "go") == 0)
        abort(); // fails here
    return 0;
}
