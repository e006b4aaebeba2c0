// Lines are counted; an empty one after three others was forgotten.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c, last = '\n', lines = 0, empty = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n') {
            lines++;
            if (last == '\n')
                empty++;
        } else if (c != 'x') {
            return 1;
        }
        last = c;
        if (lines > 4)
            return 2;
    }
#ifdef REPAIRED
    assert(lines <= 4 && empty <= lines);
#else
    assert(!(lines == 4 && empty == 1)); // fails here
#endif
    return 0;
}
