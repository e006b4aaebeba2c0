//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
//: witness = "X"
// A file is opened before the first input and moved in after it: where it stands is not what runs before have made of it.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int words = open("/etc/passwd", O_RDONLY);
    unsigned char step;
    if (words < 0 || read(0, &step, 1) != 1)
        return 1;
    lseek(words, step, SEEK_CUR);
    if (lseek(words, 0, SEEK_CUR) == 'X')
        abort(); // fails here
    return 0;
}
