//: holds = "found"
//: complete = true
//: options = ["--input-size=8"]
// A text of wide characters is compared with a word.
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

int main(void)
{
    wchar_t word[3] = L"";
    if (read(0, word, 8) != 8)
        return 1;
    if (wcscmp(word, L"no") == 0)
        abort(); // fails here
    return 0;
}
