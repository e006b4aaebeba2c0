//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A regular expression is matched with a part of an array that lies behind a NUL.
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    static char text[8] = "ab";
    if (read(0, text + 4, 1) != 1)
        return 1;
    regex_t expression;
    if (regcomp(&expression, "x", 0))
        return 2;
    regmatch_t part = {.rm_so = 3, .rm_eo = 5};
    if (regexec(&expression, text, 1, &part, REG_STARTEND) == 0)
        abort(); // fails here
    regfree(&expression);
    return 0;
}
