// A hash table of chains whose entries belong to the caller. With BUGGY, an entry that is added
// twice makes its chain a circle.
#include "hash_table.h"
#include <stddef.h>

static unsigned bucket_of(int key)
{
    return (unsigned)key % HASH_BUCKETS;
}

// Whether a chain ends.
static int ends(const struct hash_entry *first)
{
    // In a circle, the faster of two walkers meets the slower one.
    const struct hash_entry *slow = first;
    const struct hash_entry *fast = first;
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast)
            return 0;
    }
    return 1;
}

int hash_check(const struct hash_table *table)
{
    if (table == NULL)
        return 0;
    for (unsigned i = 0; i < HASH_BUCKETS; i++) {
        if (!ends(table->buckets[i]))
            return 0;
        for (const struct hash_entry *entry = table->buckets[i]; entry != NULL; entry = entry->next) {
            if (bucket_of(entry->key) != i)
                return 0;
        }
    }
    return 1;
}

void hash_init(struct hash_table *table)
{
    for (unsigned i = 0; i < HASH_BUCKETS; i++)
        table->buckets[i] = NULL;
}

static int chain_length(const struct hash_entry *entry)
{
    int length = 0;
    for (; entry != NULL; entry = entry->next)
        length++;
    return length;
}

int hash_length(const struct hash_table *table)
{
    int length = 0;
    for (unsigned i = 0; i < HASH_BUCKETS; i++)
        length += chain_length(table->buckets[i]);
    return length;
}

struct hash_entry *hash_find(const struct hash_table *table, int key)
{
    struct hash_entry *entry = table->buckets[bucket_of(key)];
    while (entry != NULL && entry->key != key)
        entry = entry->next;
    return entry;
}

int hash_contains(const struct hash_table *table, int key)
{
    return hash_find(table, key) != NULL;
}

// Where a bucket's chain refers to this very entry, or ends.
static struct hash_entry **place_of(struct hash_table *table, const struct hash_entry *entry)
{
    struct hash_entry **place = &table->buckets[bucket_of(entry->key)];
    while (*place != NULL && *place != entry)
        place = &(*place)->next;
    return place;
}

static void add_first(struct hash_table *table, struct hash_entry *entry)
{
    struct hash_entry **bucket = &table->buckets[bucket_of(entry->key)];
    entry->next = *bucket;
    *bucket = entry;
}

int hash_add(struct hash_table *table, struct hash_entry *entry)
{
    if (entry == NULL)
        return 0;
#ifndef BUGGY
    if (*place_of(table, entry) != NULL)
        return 0;
#endif
    add_first(table, entry);
    return hash_length(table);
}

struct hash_entry *hash_add_if_absent(struct hash_table *table, struct hash_entry *entry)
{
    if (entry == NULL)
        return NULL;
    struct hash_entry *present = hash_find(table, entry->key);
    if (present != NULL)
        return present;
    add_first(table, entry);
    return entry;
}

int hash_remove(struct hash_table *table, struct hash_entry *entry)
{
    if (entry == NULL)
        return 0;
    struct hash_entry **place = place_of(table, entry);
    if (*place == NULL)
        return 0;
    *place = entry->next;
    entry->next = NULL;
    return 1;
}

int hash_remove_key(struct hash_table *table, int key)
{
    int removed = 0;
    struct hash_entry **place = &table->buckets[bucket_of(key)];
    while (*place != NULL) {
        struct hash_entry *entry = *place;
        if (entry->key == key) {
            *place = entry->next;
            entry->next = NULL;
            removed++;
        } else {
            place = &entry->next;
        }
    }
    return removed;
}

int hash_longest(const struct hash_table *table)
{
    int longest = 0;
    for (unsigned i = 0; i < HASH_BUCKETS; i++) {
        int length = chain_length(table->buckets[i]);
        if (length > longest)
            longest = length;
    }
    return longest;
}

struct hash_entry *hash_next(const struct hash_table *table, const struct hash_entry *entry)
{
    unsigned bucket = 0;
    if (entry != NULL) {
        if (entry->next != NULL)
            return entry->next;
        bucket = bucket_of(entry->key) + 1;
    }
    while (bucket < HASH_BUCKETS && table->buckets[bucket] == NULL)
        bucket++;
    return bucket < HASH_BUCKETS ? table->buckets[bucket] : NULL;
}
