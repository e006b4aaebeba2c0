// Options of the command line.
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int level = 0, verbose = 0, option;
    while ((option = getopt(argc, argv, "vl:")) != -1) {
        if (option == 'v')
            verbose++;
        else if (option == 'l')
            level = atoi(optarg);
        else
            return 1;
    }
#ifdef REPAIRED
    if (level == 42)
        return 2;
#else
    if (level == 42)
        abort(); // fails here
#endif
    return verbose;
}
