// Two threads write to the cells of a table that the input names: a race where both name the same.
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int cells[4];

static void *mark(void *cell)
{
    *(int *)cell = 1; // fails here
    return NULL;
}

static int *cell(unsigned char number)
{
    for (int i = 0; i < 4; i++)
        if (number == i)
            return &cells[i];
    return NULL;
}

int main(void)
{
    unsigned char b[2];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    int *first = cell(b[0]), *second = cell(b[1]);
    if (!first || !second)
        return 2;
#ifdef REPAIRED
    if (first == second)
        return 3;
#endif
    pthread_t t[2];
    pthread_create(&t[0], NULL, mark, first);
    pthread_create(&t[1], NULL, mark, second);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
