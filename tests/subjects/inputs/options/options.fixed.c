/* A tool with an option on the command line and one in the environment, which together ask for a
 * division by their difference. */
#include <stdlib.h>

static int number(const char *text)
{
    int value = 0;
    if (*text == 0)
        return -1;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        value = value * 10 + (*text - '0');
    }
    return value;
}

int main(int argc, char **argv)
{
    const char *variable = getenv("WIDTH");
    const char *word = "--width=";
    int width, most;

    if (argc != 3 || !variable)
        return 1;
    for (int i = 0; word[i]; i++)
        if (argv[2][i] != word[i])
            return 2;
    width = number(argv[2] + 8);
    most = number(variable);
    if (width < 700 || most < 0 || width == most)
        return 3;
    return 1000 / (width - most) > 10;
}
