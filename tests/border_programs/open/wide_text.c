//: holds = "clean"
//: function = "length"
//: options = ["--sanitize=address"]
// A pointer to wide characters that are read up to their end is a text, as one to `char` is.
#include <stddef.h>
#include <wchar.h>

size_t length(const wchar_t *text)
{
    size_t count = 0;
    if (!text)
        return 0;
    while (text[count] != L'\0')
        count++;
    return count;
}
