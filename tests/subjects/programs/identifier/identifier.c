// Characters by their class.
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[4];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    if (!isalpha(b[0]) || !isdigit(b[1]) || !isspace(b[2]) || !ispunct(b[3]))
        return 2;
#ifdef REPAIRED
    if (toupper(b[0]) == 'Q' && b[1] == '7' && b[2] == '\t')
        return 3;
#else
    if (toupper(b[0]) == 'Q' && b[1] == '7' && b[2] == '\t')
        abort(); // fails here
#endif
    return 0;
}
