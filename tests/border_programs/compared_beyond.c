//: holds = "honest"
//: function = "tagged"
//: options = ["--max-array=3"]
//: witness = "tagged(\"abcd\", 3)"
// More bytes are compared than the length says.
#include <stdlib.h>
#include <string.h>

int tagged(const char *buf, size_t buf_len)
{
    if (buf && buf_len == 3 && memcmp(buf, "abcd", 4) == 0)
        abort(); // fails here
    return 0;
}
