//: holds = "honest"
//: options = ["--input-size=4"]
//: witness = "\u0039\u0030\u0000\u0000"
// A number of the input is printed into a file and scanned from it again.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int level, again;
    if (fread(&level, sizeof level, 1, stdin) != 1)
        return 1;
    FILE *kept = fopen("level.txt", "w+");
    if (!kept)
        return 2;
    fprintf(kept, "%d\n", level);
    rewind(kept);
    if (fscanf(kept, "%d", &again) == 1 && again == 12345)
        abort(); // fails here
    return 0;
}
