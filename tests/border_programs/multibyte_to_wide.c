//: holds = "honest"
//: options = ["--max-input=4"]
//: witness = "we\n"
// A line is made wide by the library, which is given where the text is by a pointer to a pointer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    char line[8];
    wchar_t wide[8];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    const char *from = line;
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t length = mbsrtowcs(wide, &from, 8, &state);
    if (length == (size_t)-1)
        return 2;
    if (length >= 2 && wide[0] == L'w' && wide[1] == L'e')
        abort(); // fails here
    return 0;
}
