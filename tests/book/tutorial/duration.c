// Prints how many seconds a duration has: 90s, 5m, 2h.
#include <stdio.h>
#include <string.h>

int seconds(const char *text)
{
    static const char units[] = "smh";
    static const int factors[] = { 1, 60, 3600 };
    int number = 0;
    while (*text >= '0' && *text <= '9' && number < 10000)
        number = number * 10 + (*text++ - '0');
    const char *unit = strchr(units, *text);
    if (!unit)
        return -1;
    return number * factors[unit - units];
}

int main(void)
{
    char line[16];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strcspn(line, "\n")] = 0;
    printf("%d\n", seconds(line));
    return 0;
}
