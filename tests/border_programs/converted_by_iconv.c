//: holds = "honest"
//: options = ["--max-input=4"]
//: witness = "ok\n"
// A line is converted by iconv, which writes through pointers to pointers.
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int to_utf8(char *text, char *out, size_t room)
{
    iconv_t converter = iconv_open("UTF-8", "ISO-8859-1");
    size_t left = strlen(text), space = room - 1;
    if (converter == (iconv_t)-1)
        return -1;
    if (iconv(converter, &text, &left, &out, &space) == (size_t)-1)
        return -1;
    *out = '\0';
    return iconv_close(converter);
}

int main(void)
{
    char line[8], text[32];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strcspn(line, "\n")] = '\0';
    if (to_utf8(line, text, sizeof text) != 0)
        return 2;
    if (strcmp(text, "ok") == 0)
        abort(); // fails here
    return 0;
}
