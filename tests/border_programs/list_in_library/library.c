#include <stdlib.h>

struct entry {
    struct entry *next;
    char *text;
};

static struct entry *entries;

void adds(char *text)
{
    struct entry *entry = malloc(sizeof *entry);
    entry->next = entries;
    entry->text = text;
    entries = entry;
}

int agrees(void)
{
    struct entry *entry = entries;
    while (entry->next)
        entry = entry->next;
    return entry->text[0] != 'x';
}
