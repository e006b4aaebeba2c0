//: holds = "honest"
//: options = ["--input-size=4"]
//: witness = "2718"
// A file that tmpfile makes: where it is refused, the program takes another way than outside.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char digits[5] = "";
    if (fread(digits, 1, 4, stdin) != 4)
        return 1;
    FILE *scratch = tmpfile();
    if (!scratch)
        return 2;
    fprintf(scratch, "%s\n", digits);
    rewind(scratch);
    int number;
    if (fscanf(scratch, "%d", &number) == 1 && number == 2718)
        abort(); // fails here
    return 0;
}
