//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
// A value that carries an annotation is still the same value.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char given;
    if (read(0, &given, 1) != 1)
        return 1;
    int checked = __builtin_annotation((int)given, "from outside");
    if (checked == 91)
        abort(); // fails here
    return 0;
}
