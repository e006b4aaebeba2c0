//: holds = "clean"
//: complete = true
//: options = ["--max-input=3"]
// A table of lists by the input's hash: reads of what may be freed are the same in every run.
#include <stdio.h>
#include <stdlib.h>

struct entry {
    char *word;
    struct entry *next;
};

static struct entry *table[8];

int main(void)
{
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        unsigned hash = (unsigned char)line[0] % 8;
        struct entry *entry = malloc(sizeof *entry);
        entry->word = 0;
        entry->next = table[hash];
        table[hash] = entry;
    }
    for (int i = 0; i < 8; i++)
        for (struct entry *entry = table[i], *next; entry; entry = next) {
            next = entry->next;
            free(entry);
        }
    return 0;
}
