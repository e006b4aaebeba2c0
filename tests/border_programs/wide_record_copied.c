//: holds = "found"
//: complete = true
//: options = ["--input-size=24"]
// wmemcpy counts in wide characters: what lies past the first bytes of a record is copied, too.
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

struct record {
    wchar_t title[20];
    wchar_t name[6];
};

static struct record given, copied;

int main(void)
{
    if (read(0, given.name, sizeof given.name) != (ssize_t)sizeof given.name)
        return 1;
    given.title[0] = L'-';
    wmemcpy(copied.title, given.title, sizeof given / sizeof(wchar_t));
    if (copied.name[1] == L'W')
        abort(); // fails here
    return 0;
}
