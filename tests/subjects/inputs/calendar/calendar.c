/* A date in eight digits: the last year of a century is taken for a leap year. */
#include <assert.h>
#include <unistd.h>

static int is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_of(int year, int month)
{
    if (month == 2)
        return year % 4 == 0 ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

int main(void)
{
    unsigned char b[8];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    for (int i = 0; i < 8; i++)
        if (b[i] < '0' || b[i] > '9')
            return 1;
    int year = (b[0] - '0') * 1000 + (b[1] - '0') * 100 + (b[2] - '0') * 10 + (b[3] - '0');
    int month = (b[4] - '0') * 10 + (b[5] - '0');
    int day = (b[6] - '0') * 10 + (b[7] - '0');
    if (month < 1 || month > 12 || day < 1)
        return 2;
    if (day > days_of(year, month))
        return 3;
    if (month == 2 && day == 29)
        assert(is_leap(year)); // fails here
    return 0;
}
