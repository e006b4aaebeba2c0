//: holds = "found"
//: options = ["--input-size=2"]
//: witness = "no"
// Standard input is opened once more with freopen, to change its mode.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[8];
    FILE *input = freopen(NULL, "rb", stdin);
    if (!input)
        input = stdin;
    if (!fgets(line, sizeof line, input))
        return 1;
    if (strcmp(line, "no") == 0)
        abort(); // fails here
    return 0;
}
