/* Sorting, searching, regular expressions, hashing and time. */
/* Link: -lcrypt */
#include <crypt.h>
#include <regex.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <time.h>

static int border_bytes(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

/* qsort */
static size_t sorted(char *s, size_t n)
{
    qsort(s, n, 1, border_bytes);
    return n;
}

/* qsort_r */
static int border_either(const void *a, const void *b, void *sign)
{
    return *(int *)sign * (*(const unsigned char *)a - *(const unsigned char *)b);
}

static size_t sorted_down(char *s, size_t n)
{
    int sign = -1;
    qsort_r(s, n, 1, border_either, &sign);
    return n;
}

/* bsearch */
static long found_in_table(char *s, size_t n)
{
    static const unsigned char table[] = {'+', '-', '0', '5', 'A', 'e', 'k', 'z'};
    const unsigned char *p;
    (void)n;
    p = (const unsigned char *)bsearch(s, table, sizeof table, 1, border_bytes);
    return p ? p - table : -1;
}

/* lfind */
static long found_in_list(char *s, size_t n)
{
    static const unsigned char table[] = {'q', '1', '!', 200, 7};
    size_t count = sizeof table;
    const unsigned char *p;
    (void)n;
    p = (const unsigned char *)lfind(s, table, &count, 1, border_bytes);
    return p ? p - table : 40;
}

/* lsearch */
static long distinct(char *s, size_t n)
{
    unsigned char table[80];
    size_t count = 0, i;
    for (i = 0; i < n; i++)
        lsearch(s + i, table, &count, 1, border_bytes);
    return (long)count;
}

/* hcreate, hsearch, hdestroy */
static long hash_table(char *s, size_t n)
{
    ENTRY one;
    ENTRY *found;
    static char a[] = "a", b[] = "7";
    long r;
    (void)n;
    if (!hcreate(8))
        return -9;
    one.key = a;
    one.data = (void *)11;
    hsearch(one, ENTER);
    one.key = b;
    one.data = (void *)12;
    hsearch(one, ENTER);
    one.key = s;
    found = hsearch(one, FIND);
    r = found ? (long)found->data : -1;
    hdestroy();
    return r;
}

/* hsearch_r */
static long hashed_word(char *s, size_t n)
{
    struct hsearch_data table;
    ENTRY one, *found = NULL;
    static char name[] = "k";
    (void)n;
    memset(&table, 0, sizeof table);
    if (!hcreate_r(5, &table))
        return -9;
    one.key = s;
    one.data = s;
    hsearch_r(one, ENTER, &found, &table);
    one.key = name;
    found = NULL;
    hsearch_r(one, FIND, &found, &table);
    hdestroy_r(&table);
    return found != NULL;
}

/* tsearch, tfind, tdelete */
static long binary_tree(char *s, size_t n)
{
    void *root = NULL;
    static unsigned char keys[] = {'m', 'c', 'x'};
    size_t i;
    long r;
    (void)n;
    for (i = 0; i < sizeof keys; i++)
        tsearch(keys + i, &root, border_bytes);
    r = tfind(s, &root, border_bytes) != NULL;
    for (i = 0; i < sizeof keys; i++)
        tdelete(keys + i, &root, border_bytes);
    return r;
}

/* twalk */
static long border_walked;
static void border_visit(const void *node, VISIT which, int depth)
{
    if (which == postorder || which == leaf)
        border_walked = border_walked * 3 + **(unsigned char *const *)node + depth;
}

static long walked_tree(char *s, size_t n)
{
    void *root = NULL;
    size_t i;
    border_walked = 0;
    for (i = 0; i < n; i++)
        tsearch(s + i, &root, border_bytes);
    twalk(root, border_visit);
    while (root)
        tdelete(*(char **)root, &root, border_bytes);
    return border_walked & 0xffff;
}

/* insque, remque */
static long queue(char *s, size_t n)
{
    struct item {
        struct item *next, *prev;
        long value;
    } a = {NULL, NULL, 1}, b = {NULL, NULL, 2};
    (void)n;
    insque(&a, NULL);
    b.value = s[0] & 255;
    insque(&b, &a);
    b.value += a.next->value;
    remque(&b);
    return b.value + (a.next == NULL);
}

/* regcomp, regexec, regfree */
static long regular(char *s, size_t n)
{
    regex_t re;
    regmatch_t where[2];
    long r = -1;
    (void)n;
    if (regcomp(&re, "([0-9]+)|x", REG_EXTENDED) != 0)
        return -9;
    if (regexec(&re, s, 2, where, 0) == 0)
        r = where[0].rm_so * 100 + where[0].rm_eo * 10 + where[1].rm_so;
    regfree(&re);
    return r;
}

/* regcomp, regerror */
static long regular_of_input(char *s, size_t n)
{
    regex_t re;
    char text[64];
    int e = regcomp(&re, s, REG_EXTENDED | REG_NOSUB);
    long r;
    (void)n;
    if (e != 0)
        return (long)regerror(e, &re, text, sizeof text) + 100;
    r = regexec(&re, "k7", 0, NULL, 0);
    regfree(&re);
    return r;
}

/* crypt */
static long crypted(long v)
{
    char key[2] = {(char)('a' + (v & 15)), '\0'};
    const char *out = crypt(key, "$1$ab$");
    return out ? out[8] : -1;
}

/* gmtime */
static long day_of_the_week(long v)
{
    time_t t = (time_t)v * 86400;
    struct tm *tm = gmtime(&t);
    return tm->tm_wday * 32 + tm->tm_mday;
}

/* gmtime_r, timegm */
static long month_later(long v)
{
    time_t t = (time_t)(v & 0xfff) * 86400;
    struct tm tm;
    gmtime_r(&t, &tm);
    tm.tm_mon += 1;
    return (long)((timegm(&tm) - t) / 86400);
}

/* mktime */
static long normalized(long v)
{
    struct tm tm;
    memset(&tm, 0, sizeof tm);
    setenv("TZ", "UTC0", 1);
    tm.tm_year = 100;
    tm.tm_mday = (int)(v & 0xff);
    tm.tm_isdst = -1;
    mktime(&tm);
    return tm.tm_mon * 40 + tm.tm_mday;
}

/* localtime_r, tzset */
static long local_hour(long v)
{
    time_t t = (time_t)v;
    struct tm tm;
    setenv("TZ", "XYZ-3", 1);
    tzset();
    localtime_r(&t, &tm);
    return tm.tm_hour * 60 + tm.tm_min;
}

/* strftime */
static size_t date_text(char *s, long v)
{
    time_t t = (time_t)(v & 0xff) * 86400;
    struct tm tm;
    gmtime_r(&t, &tm);
    return strftime(s, 40, "%j %a", &tm);
}

/* asctime_r */
static long old_date(long v)
{
    char text[32];
    struct tm tm;
    memset(&tm, 0, sizeof tm);
    tm.tm_mday = 1;
    tm.tm_mon = (int)(v & 7);
    return asctime_r(&tm, text) ? text[4] * 256 + text[5] : -1;
}

/* strptime */
static long parsed_date(char *s, size_t n)
{
    struct tm tm;
    char *end;
    (void)n;
    memset(&tm, 0, sizeof tm);
    end = strptime(s, "%d", &tm);
    return end ? tm.tm_mday * 10 + (end - s) : -1;
}

/* difftime */
static long apart(long v)
{
    return (long)difftime((time_t)v, (time_t)1000);
}
