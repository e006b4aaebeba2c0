//: holds = "honest"
//: options = ["--max-input=4"]
//: witness = "up"
// A line of the input is printed into a pipe and read again, both through streams.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    FILE *out = fdopen(ends[1], "w"), *in = fdopen(ends[0], "r");
    char line[16], again[32];
    if (!out || !in || !fgets(line, sizeof line, stdin))
        return 2;
    fprintf(out, "%s\n", line);
    fclose(out);
    if (!fgets(again, sizeof again, in))
        return 3;
    if (strncmp(again, "up", 2) == 0)
        abort(); // fails here
    return 0;
}
