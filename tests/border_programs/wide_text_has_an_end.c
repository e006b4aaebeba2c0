//: holds = "found"
//: function = "greets"
//: complete = true
//: options = ["--sanitize=address", "--max-string=3"]
// A text of wide characters has an end, like one of bytes: reading to it is no overflow.
#include <stdlib.h>
#include <wchar.h>

int greets(const wchar_t *text)
{
    size_t length = 0;
    if (!text)
        return 0;
    while (text[length])
        length++;
    if (length == 2 && text[0] == L'h' && text[1] == 0x1f600)
        abort(); // fails here
    return 1;
}
