// A hash table of open hashing: each bucket is a chain of entries. Entries belong to the caller; an
// entry is in one table at most. Several entries may have one key.
#ifndef HASH_TABLE_H
#define HASH_TABLE_H

enum { HASH_BUCKETS = 4 };

struct hash_entry {
    int key;
    struct hash_entry *next;
};

struct hash_table {
    struct hash_entry *buckets[HASH_BUCKETS];
};

// 1 if there is a table, every chain ends, and every entry is in the bucket of its key, otherwise 0.
int hash_check(const struct hash_table *table);

void hash_init(struct hash_table *table);
int hash_length(const struct hash_table *table);

// The entry with this key that was added last, or NULL.
struct hash_entry *hash_find(const struct hash_table *table, int key);
int hash_contains(const struct hash_table *table, int key);

// Adds an entry and returns how many the table has then. It returns 0, and does nothing, if it is
// in the table already, or NULL.
int hash_add(struct hash_table *table, struct hash_entry *entry);

// Adds an entry unless there is one with its key, and returns the one that is in the table then.
struct hash_entry *hash_add_if_absent(struct hash_table *table, struct hash_entry *entry);

// Takes an entry out; 0 if it is not in the table.
int hash_remove(struct hash_table *table, struct hash_entry *entry);

// Takes all entries with this key out and returns how many they were.
int hash_remove_key(struct hash_table *table, int key);

// The length of the longest chain.
int hash_longest(const struct hash_table *table);

// The entry after this one in the order of buckets and chains, the first one after NULL, or NULL.
struct hash_entry *hash_next(const struct hash_table *table, const struct hash_entry *entry);

#endif
