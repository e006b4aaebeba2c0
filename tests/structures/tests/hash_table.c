// Tests of the hash table; with an argument, what does not end with BUGGY.
#include "../hash_table.h"
#include "support.h"

enum { ENTRIES = 12 };

// What the table has: the entries in the order in which they were added.
struct model {
    struct hash_entry *entries[ENTRIES];
    int length;
};

static int place_of(const struct model *model, const struct hash_entry *entry)
{
    int place = model->length - 1;
    while (place >= 0 && model->entries[place] != entry)
        place--;
    return place;
}

static int place_of_key(const struct model *model, int key)
{
    int place = model->length - 1;
    while (place >= 0 && model->entries[place]->key != key)
        place--;
    return place;
}

static void take(struct model *model, int place)
{
    model->length--;
    for (int i = place; i < model->length; i++)
        model->entries[i] = model->entries[i + 1];
}

static void agrees(const struct hash_table *table, const struct model *model)
{
    REQUIRE(hash_check(table));
    REQUIRE(hash_length(table) == model->length);
    int longest = 0;
    for (unsigned bucket = 0; bucket < HASH_BUCKETS; bucket++) {
        int number = 0;
        for (int i = 0; i < model->length; i++)
            number += (unsigned)model->entries[i]->key % HASH_BUCKETS == bucket;
        longest = number > longest ? number : longest;
    }
    REQUIRE(hash_longest(table) == longest);
    int walked = 0;
    for (struct hash_entry *e = hash_next(table, NULL); e != NULL; e = hash_next(table, e)) {
        REQUIRE(place_of(model, e) >= 0);
        REQUIRE(++walked <= model->length);
    }
    REQUIRE(walked == model->length);
    for (int key = -3; key <= 6; key++) {
        int place = place_of_key(model, key);
        REQUIRE(hash_find(table, key) == (place >= 0 ? model->entries[place] : NULL));
        REQUIRE(hash_contains(table, key) == (place >= 0));
    }
}

static void random_operations(void)
{
    uint64_t state = 6;
    for (int round = 0; round < 500; round++) {
        struct hash_entry *entries = calloc(ENTRIES, sizeof *entries);
        struct hash_table table;
        struct model model = {.length = 0};
        hash_init(&table);
        for (int i = 0; i < ENTRIES; i++)
            entries[i].key = below(&state, 10) - 3;
        for (int step = 0; step < 60; step++) {
            struct hash_entry *entry = &entries[below(&state, ENTRIES)];
            int place = place_of(&model, entry);
            int same = place_of_key(&model, entry->key);
            switch (below(&state, 5)) {
            case 0:
            case 1:
                REQUIRE(hash_add(&table, entry) == (place < 0 ? model.length + 1 : 0));
                if (place < 0)
                    model.entries[model.length++] = entry;
                break;
            case 2:
                REQUIRE(hash_add_if_absent(&table, entry) ==
                        (same >= 0 ? model.entries[same] : entry));
                if (same < 0)
                    model.entries[model.length++] = entry;
                break;
            case 3:
                REQUIRE(hash_remove(&table, entry) == (place >= 0));
                if (place >= 0)
                    take(&model, place);
                break;
            case 4: {
                if (below(&state, 3))
                    break;
                int removed = hash_remove_key(&table, entry->key);
                for (; same >= 0; same = place_of_key(&model, entry->key)) {
                    take(&model, same);
                    removed--;
                }
                REQUIRE(removed == 0);
                break;
            }
            }
            agrees(&table, &model);
        }
        free(entries);
    }
}

// Of all graphs of three entries with the keys 0, 4 and 1 in which what cannot be reached points
// nowhere, these are tables: 1 + 2 + 2 chains of the first two, each with and without the third.
static void all_small_graphs(void)
{
    int valid = 0;
    for (unsigned long code = 0; code < 1ul << 14; code++) {
        struct hash_entry entries[3] = {{.key = 0}, {.key = 4}, {.key = 1}};
        struct hash_entry *targets[4] = {NULL, &entries[0], &entries[1], &entries[2]};
        unsigned long rest = code;
        struct hash_table table;
        for (int i = 0; i < HASH_BUCKETS; i++)
            table.buckets[i] = targets[digit(&rest, 4)];
        for (int i = 0; i < 3; i++)
            entries[i].next = targets[digit(&rest, 4)];
        if (!hash_check(&table))
            continue;
        int reached[3] = {0, 0, 0};
        for (int i = 0; i < HASH_BUCKETS; i++) {
            for (const struct hash_entry *e = table.buckets[i]; e != NULL; e = e->next)
                reached[e - entries] = 1;
        }
        int spare = 0;
        for (int i = 0; i < 3; i++)
            spare |= !reached[i] && entries[i].next != NULL;
        valid += !spare;
    }
    REQUIRE(valid == 10);
    REQUIRE(!hash_check(NULL));
}

// The calls with which CUTE found that a table of SGLIB did not end.
static void add_twice(void)
{
    struct hash_table table;
    hash_init(&table);
    struct hash_entry entry = {.key = 0};
    REQUIRE(hash_add_if_absent(&table, &entry) == &entry);
    REQUIRE(hash_add(&table, &entry) == 0);
    REQUIRE(hash_contains(&table, 0) && !hash_contains(&table, HASH_BUCKETS));
    REQUIRE(!hash_add(&table, NULL) && !hash_remove(&table, NULL));
    REQUIRE(hash_add_if_absent(&table, NULL) == NULL);
}

int main(int argc, char **argv)
{
    (void)argv;
    add_twice();
    if (argc > 1)
        return 0;
    random_operations();
    all_small_graphs();
    return 0;
}
