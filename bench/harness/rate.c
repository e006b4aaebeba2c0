/* Small functions with many paths, for the measurement of how many runs a second there are: each is
 * about as long as the `testme` of CUTE's paper.
 */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int v;
    struct cell *next;
};

/* CUTE's example, behind flags that give it paths. */
int testme(struct cell *p, int x, const unsigned char flags[8])
{
    int n = 0;
    for (int i = 0; i < 8; i++) {
        if (flags && flags[i] > 100 + i)
            n++;
    }
    if (x > 0) {
        if (p != NULL) {
            if (2 * p->v + 1 == x) {
                if (p->next == p)
                    n += 100;
            }
        }
    }
    return n;
}

/* A pointer structure that is walked and changed. */
int insert(struct cell *list, struct cell *new)
{
    struct cell **at = &list;
    int large = 0;
    if (new == NULL)
        return -1;
    for (int steps = 0; *at != NULL && (*at)->v < new->v && steps < 12; steps++)
        at = &(*at)->next;
    new->next = *at;
    *at = new;
    for (int steps = 0; list != NULL && steps < 12; steps++, list = list->next)
        large += list->v > 3;
    return large;
}

/* Memory that is taken and not always given back. */
int keep(const int values[11], int limit)
{
    static int kept;
    for (int i = 0; values && i < 11; i++) {
        int *copy = malloc(sizeof *copy);
        if (copy == NULL)
            return -1;
        *copy = values[i];
        if (*copy > limit)
            free(copy);
        else
            kept++;
    }
    return kept;
}

/* Something is printed. */
void tell(unsigned bits)
{
    for (int i = 0; i < 11; i++) {
        if (bits >> i & 1)
            printf("bit %d\n", i);
    }
}

/* A file is opened: each run needs a process of its own. */
int read_one(unsigned bits)
{
    int n = 0;
    FILE *file = fopen("/dev/null", "r");
    for (int i = 0; i < 11; i++) {
        if (bits >> i & 1)
            n++;
    }
    if (file != NULL)
        fclose(file);
    return n;
}
