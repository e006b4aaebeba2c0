//: holds = "honest"
//: options = ["--max-input=3"]
//: witness = "we"
// All of a text is made wide by the library, which says so by setting the pointer that it was given to null.
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static char text[8];
static const char *from = text;
static wchar_t wide[8];

int main(void)
{
    if (!fgets(text, sizeof text, stdin))
        return 1;
    static mbstate_t state;
    if (mbsrtowcs(wide, &from, 8, &state) == (size_t)-1)
        return 2;
    if (wide[0] == L'w' && wide[1] == L'e')
        abort(); // fails here
    return 0;
}
