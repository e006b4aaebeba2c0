// Sorting, streams, options, and memory that is handed out.
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <getopt.h>
#include <malloc.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct item {
    int key;
    int number;
    char filler[40];
};

static int calls;

static int by_key(const void *a, const void *b)
{
    calls++;
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

static int by_int(const void *a, const void *b)
{
    calls++;
    return *(const int *)a - *(const int *)b;
}

static int by_int_with(const void *a, const void *b, void *with)
{
    ++*(int *)with;
    return *(const int *)b - *(const int *)a;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sorted(void)
{
    struct item items[20];
    int numbers[40], n = (int)pick(40), with = 0;
    for (int i = 0; i < 20; i++)
        items[i] = (struct item){(int)pick(6), i, ""};
    for (int i = 0; i < n; i++)
        numbers[i] = (int)pick(30);
    calls = 0;
    qsort(items, pick(21), sizeof *items, by_key);
    for (int i = 0; i < 20; i++)
        printf("%d/%d ", items[i].key, items[i].number);
    qsort_r(numbers, (size_t)n, sizeof *numbers, by_int_with, &with);
    qsort(numbers, (size_t)n, sizeof *numbers, by_int);
    for (int i = 0; i < n; i++)
        printf("%d ", numbers[i]);
    int key = (int)pick(30);
    size_t count = (size_t)n;
    printf("%ld %ld %d %d", off(bsearch(&key, numbers, count, sizeof *numbers, by_int), numbers),
           off(lfind(&key, numbers, &count, sizeof *numbers, by_int), numbers), calls, with);
    if (count < 40)
        printf(" %ld", off(lsearch(&key, numbers, &count, sizeof *numbers, by_int), numbers));
    const char *words[] = {"pear", "fig", "apple", "date"};
    qsort(words, 4, sizeof *words, by_text);
    printf(" %zu %s %s\n", count, words[0], words[3]);
}

static void streams(void)
{
    FILE *file = tmpfile();
    char text[400], line[40], *whole = NULL;
    size_t room = 0;
    unsigned n = pick(300);
    for (unsigned i = 0; i < n; i++)
        text[i] = "ab\n\0"[pick(4)];
    fwrite(text, 1, n, file);
    rewind(file);
    for (int i = 0; i < 12; i++) {
        memset(line, '.', sizeof line);
        int size = (int)pick(40), c;
        switch (pick(8)) {
        case 0:
            c = fgetc(file);
            printf("c%d ", c);
            printf("u%d ", ungetc(c, file));
            break;
        case 1:
            printf("s%d ", fgets(line, size, file) != NULL);
            break;
        case 2:
            printf("r%zu ", fread(line, 3, (size_t)size / 3, file));
            break;
        case 3:
            printf("l%zd ", getline(&whole, &room, file));
            break;
        case 4:
            printf("d%zd ", getdelim(&whole, &room, 'b', file));
            break;
        case 5:
            printf("k%d ", fseek(file, (long)pick(20), (int[]){SEEK_SET, SEEK_CUR}[pick(2)]));
            break;
        case 6:
            printf("g%d ", getc_unlocked(file));
            break;
        default: {
            fpos_t at;
            printf("p%d ", fgetpos(file, &at));
            printf("%d ", fsetpos(file, &at));
        }
        }
        fwrite(line, 1, sizeof line, stdout);
        printf(" %ld %d %d\n", ftell(file), feof(file), ferror(file));
    }
    free(whole);
    fclose(file);
}

static void options(void)
{
    static char *const known[] = {"-a", "-b", "-bx", "-abc", "-c", "-cx", "--", "-", "x", "--all",
                                  "--al", "--a", "--bend=3", "--bend", "--be", "--none=1", "-z",
                                  "--altogether", "-W", "all", "--flag", "-all", "-bend"};
    char *words[9] = {"program"};
    int count = 1 + (int)pick(7), flag = 0, index, c;
    for (int i = 1; i < count; i++)
        words[i] = known[pick(sizeof known / sizeof *known)];
    words[count] = NULL;
    struct option longs[] = {{"all", 0, NULL, 'A'},        {"altogether", 2, NULL, 'G'},
                             {"bend", 1, NULL, 'B'},       {"none", 0, NULL, 'N'},
                             {"flag", 0, &flag, 77},       {NULL, 0, NULL, 0}};
    const char *shorts = (const char *[]){"ab:c::", ":ab:c::W;", "+ab:c::", "-ab:c::"}[pick(4)];
    int how = (int)pick(3);
    optind = 0;
    opterr = 0;
    for (int i = 0; i < 12; i++) {
        index = -1;
        optopt = 0;
        if (how == 0)
            c = getopt(count, words, shorts);
        else if (how == 1)
            c = getopt_long(count, words, shorts, longs, &index);
        else
            c = getopt_long_only(count, words, shorts, longs, &index);
        printf("%d %d %d %d %s %d, ", c, optind, optopt, index, optarg ? optarg : "none", flag);
        if (c == -1)
            break;
    }
    for (int i = 0; i < count; i++)
        printf(" %s", words[i]);
    putchar('\n');
}

static void memory(void)
{
    errno = 0;
    void *volatile huge = reallocarray(NULL, SIZE_MAX / 2, 3);
    printf("%d %d ", huge == NULL, errno);
    void *a = aligned_alloc(64, 128), *b = memalign(32, 10), *c = NULL;
    int result = posix_memalign(&c, 128, 50);
    printf("%d %d %d %d ", (int)((uintptr_t)a % 64), (int)((uintptr_t)b % 32), result,
           (int)((uintptr_t)c % 128));
    int *d = reallocarray(NULL, 10, sizeof *d);
    for (int i = 0; i < 10; i++)
        d[i] = i;
    d = reallocarray(d, 50000, sizeof *d);
    printf("%d\n", d[9]);
    free(a);
    free(b);
    free(c);
    free(d);
}

static void surroundings(void)
{
    struct tm at;
    time_t now = 1000000000;
    char text[64];
    gmtime_r(&now, &at);
    printf("%zu %s ", strftime(text, sizeof text, "%Y-%m-%d", &at), text);
    printf("%ld ", (long)timegm(&at));
    printf("%d ", getcwd(text, 1) == NULL);
    int fds[2];
    printf("%d\n", pipe(fds));
}

int main(void)
{
    for (int i = 0; i < 300; i++)
        sorted();
    for (int i = 0; i < 200; i++)
        streams();
    for (int i = 0; i < 3000; i++)
        options();
    memory();
    surroundings();
    return 0;
}
