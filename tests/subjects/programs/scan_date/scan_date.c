// A date that sscanf accepts and the calendar does not.
#include <assert.h>
#include <stdio.h>

static const unsigned char days[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void)
{
    char text[16];
    size_t got = fread(text, 1, 10, stdin);
    text[got] = 0;
    unsigned day, month;
    if (sscanf(text, "%2u.%2u.", &day, &month) != 2)
        return 1;
    if (month < 1 || month > 12 || day < 1)
        return 2;
#ifdef REPAIRED
    if (day > days[month])
        return 3;
#else
    if (day > 31)
        return 3;
#endif
    assert(day <= days[month]); // fails here
    return 0;
}
