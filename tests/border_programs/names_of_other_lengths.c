//: holds = "found"
//: kind = "global-buffer-overflow"
//: options = ["--input-size=1", "--sanitize=address"]
//: witness = "\u0001"
// A table of texts of which one is too short for the place that is read in each.
#include <unistd.h>

static const char *const months[4] = {"March", "May", "April", "August"};

int main(void)
{
    unsigned char number;
    if (read(0, &number, 1) != 1)
        return 1;
    return months[number & 3][4] == 'x'; // fails here
}
