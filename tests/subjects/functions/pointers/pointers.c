// Parameters that are pointers: to text, to anything, to functions, to pointers, and into objects.
#include "../twin.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int text(const char *word)
{
    if (word && strcmp(word, "elsewise") == 0)
        fail(); // fails here
    return word ? (int)strlen(word) : -1;
}

int longer_text(const char *word)
{
    if (word && strlen(word) == 12 && word[11] == '!')
        fail(); // fails here
    return 0;
}

// Text ends within its bounds.
int shorter_text(char *word)
{
    if (word == NULL)
        return 0;
    if (strlen(word) > 4)
        abort();
    if (word[0] == 'a' && word[1] == 0)
        fail(); // fails here
    return 1;
}

struct header {
    int kind;
};

struct number {
    struct header header;
    int value;
};

// Of an object behind `void *` nothing is known but some bytes.
int anything(void *data)
{
    struct header *header = data;
    if (header && header->kind == 77)
        fail(); // fails here
    return 0;
}

// A cast to the larger struct that the smaller is the first part of.
int casts(struct header *header, struct number *number)
{
    if (header == NULL || number == NULL || header->kind != 5)
        return 0;
    if (header == &number->header && ((struct number *)header)->value == 1234)
        fail(); // fails here
    return 1;
}

static int twice(int x)
{
    return 2 * x;
}

static int negated(int x)
{
    return -x;
}

static void unused_by_type(int x)
{
    (void)x;
}

int calls_back(int (*f)(int), int x)
{
    (void)unused_by_type;
    if (f == NULL || x < 1)
        return 0;
    if (f(x) == -x)
        fail(); // fails here
    return f == twice || f == negated;
}

struct handler {
    int (*call)(int);
    struct handler *next;
};

int handlers(struct handler *h, int x)
{
    int rounds = 0;
    while (h != NULL && rounds++ < 3) {
        if (h->call)
            x = h->call(x);
        if (x == 40 && rounds == 3)
            fail(); // fails here
        h = h->next;
    }
    return x;
}

int pointers_to_pointers(struct number **pp)
{
    if (pp && *pp && (*pp)->value == 8)
        fail(); // fails here
    return 0;
}

int words(const char *const *list)
{
    int count = 0;
    if (list == NULL)
        return -1;
    while (list[count] != NULL)
        count++;
    if (count == 3 && list[2][0] == 'z' && list[2] == list[0])
        fail(); // fails here
    return count;
}

int three_deep(int ***ppp)
{
    if (ppp && *ppp && **ppp && ***ppp == 31)
        fail(); // fails here
    return 0;
}

struct secret;

int peek(const struct secret *s);

// A type that is declared and not defined has an address.
int opaque(struct secret *a, struct secret *b)
{
    if (a != NULL && a == b)
        fail(); // fails here
    return 0;
}

struct link {
    struct link *next;
};

struct job {
    int number;
    struct link in_queue;
    int urgent;
};

#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

// Links lie within what they link.
int in_queue(struct job *first, struct job *second)
{
    if (first == NULL || second == NULL || first == second)
        return 0;
    if (first->in_queue.next == &second->in_queue) {
        struct job *job = container_of(first->in_queue.next, struct job, in_queue);
        if (job->urgent == 1 && job->number == first->number + 1)
            fail(); // fails here
    }
    return 3;
}

static int hidden(const struct job *const volatile p)
{
    const struct job *job = p;
    if (job && job->number == 6)
        fail(); // fails here
    return 1;
}

int visible(void)
{
    return hidden(NULL);
}

// A comparison of the library is the first to meet a null pointer.
int compared(const char *text)
{
#ifdef REPAIRED
    if (!text)
        return 0;
#endif
    if (memcmp(text, "ab", 2) == 0) // fails here: segv
        fail(); // fails here
    return 0;
}

// A function that nobody follows is the first to meet a null pointer.
int written(const char *text, int number)
{
#ifdef REPAIRED
    if (!text)
        return 0;
#endif
    fputs(text, stdout); // fails here: segv
    if (number == 7)
        fail(); // fails here
    return 0;
}
