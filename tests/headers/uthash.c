// The operations of <uthash.h>, on tables that were made through it: items with the first keys of
// `keys`, each key once. Most give the hash values themselves, so that keys meet in a bucket where
// that matters; what the hash functions of the header make of a key is explored apart.
#include "check.h"
#include <string.h>
#include <uthash.h>

#define FEW 3

struct item {
    int key;
    char name[4];
    UT_hash_handle hh;
    UT_hash_handle other;
};

struct keys {
    unsigned char count;
    unsigned char keys[FEW];
};

static int valid(const struct keys *keys)
{
    if (!keys || keys->count > FEW)
        return 0;
    for (unsigned i = 1; i < keys->count; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (keys->keys[i] == keys->keys[j])
                return 0;
        }
    }
    return 1;
}

static int compare(const struct item *a, const struct item *b)
{
    return (a->key > b->key) - (a->key < b->key);
}

static struct item *item_of(int key)
{
    struct item *item = calloc(1, sizeof *item);
    item->key = key;
    return item;
}

static struct item *table_of(const struct keys *keys)
{
    struct item *table = NULL;
    for (unsigned i = 0; i < keys->count; i++) {
        struct item *item = item_of(keys->keys[i]);
        HASH_ADD_BYHASHVALUE(hh, table, key, sizeof item->key, keys->keys[i], item);
    }
    return table;
}

static int is_odd(const void *item)
{
    return ((const struct item *)item)->key & 1;
}

//: explore --valid keys:valid
void hash_add_byhashvalue(struct keys *keys)
{
    struct item *table = table_of(keys);
    ensure(HASH_COUNT(table) == keys->count);
}

//: explore --valid keys:valid
void hash_find_byhashvalue(struct keys *keys, unsigned char key)
{
    struct item *table = table_of(keys), *found;
    int wanted = key;
    HASH_FIND_BYHASHVALUE(hh, table, &wanted, sizeof wanted, wanted, found);
    ensure(!found || found->key == key);
}

//: explore --valid keys:valid
void hash_delete(struct keys *keys, unsigned char key)
{
    struct item *table = table_of(keys), *found;
    int wanted = key;
    HASH_FIND_BYHASHVALUE(hh, table, &wanted, sizeof wanted, wanted, found);
    if (found)
        HASH_DEL(table, found);
    HASH_FIND_BYHASHVALUE(hh, table, &wanted, sizeof wanted, wanted, found);
    ensure(!found);
}

//: explore --valid keys:valid
void hash_replace_byhashvalue(struct keys *keys, unsigned char key)
{
    struct item *table = table_of(keys), *item = item_of(key), *replaced;
    HASH_REPLACE_BYHASHVALUE(hh, table, key, sizeof item->key, key, item, replaced);
    ensure(HASH_COUNT(table) == keys->count + !replaced);
}

//: explore --valid keys:valid
void hash_add_inorder(struct keys *keys)
{
    struct item *table = NULL;
    for (unsigned i = 0; i < keys->count; i++) {
        struct item *item = item_of(keys->keys[i]);
        HASH_ADD_BYHASHVALUE_INORDER(hh, table, key, sizeof item->key, keys->keys[i], item, compare);
    }
    ensure(HASH_COUNT(table) == keys->count);
}

//: explore --valid keys:valid
void hash_sort(struct keys *keys)
{
    struct item *table = table_of(keys), *at, *next;
    int last = -1;
    HASH_SORT(table, compare);
    HASH_ITER(hh, table, at, next) {
        ensure(at->key > last);
        last = at->key;
    }
}

//: explore --valid keys:valid
void hash_select(struct keys *keys)
{
    struct item *table = table_of(keys), *odd = NULL;
    HASH_SELECT(other, odd, hh, table, is_odd);
    ensure(HASH_CNT(other, odd) <= keys->count);
}

//: explore --valid keys:valid
void hash_clear(struct keys *keys)
{
    struct item *table = table_of(keys);
    HASH_CLEAR(hh, table);
    ensure(!table);
}

//: explore --valid keys:valid
unsigned long hash_overhead(struct keys *keys)
{
    struct item *table = table_of(keys);
    return HASH_OVERHEAD(hh, table);
}

//: explore
void hash_expand(unsigned char step, unsigned char bits)
{
    struct item *table = NULL;
    for (unsigned i = 0; i < 40; i++) {
        struct item *item = item_of((int)i);
        HASH_ADD_BYHASHVALUE(hh, table, key, sizeof item->key, i * step << (bits & 7), item);
    }
    ensure(HASH_COUNT(table) == 40);
}

//: explore
void hash_int(int first, int second)
{
    struct item *table = NULL, *found, *replaced, *item = item_of(first);
    HASH_ADD_INT(table, key, item);
    HASH_FIND_INT(table, &second, found);
    ensure(!found || first == second);
    item = item_of(second);
    HASH_REPLACE_INT(table, key, item, replaced);
    ensure(replaced == found);
}

//: explore --max-string 3
void hash_str(char *first, char *second)
{
    struct item *table = NULL, *found, *item = item_of(0);
    if (!first || !second)
        return;
    strcpy(item->name, first);
    HASH_ADD_STR(table, name, item);
    HASH_FIND_STR(table, second, found);
    ensure(!found || !strcmp(first, second));
}

//: explore --array bytes:length --max-array 13
unsigned hash_jen(const unsigned char *bytes, unsigned length)
{
    unsigned value = 0;
    if (bytes)
        HASH_JEN(bytes, length, value);
    return value;
}

//: explore --array bytes:length --max-array 9
unsigned hash_sfh(const unsigned char *bytes, unsigned length)
{
    unsigned value = 0;
    if (bytes)
        HASH_SFH(bytes, length, value);
    return value;
}

//: explore --array bytes:length
unsigned hash_ber(const unsigned char *bytes, unsigned length)
{
    unsigned value = 0;
    if (bytes)
        HASH_BER(bytes, length, value);
    return value;
}

//: explore --array bytes:length
unsigned hash_sax(const unsigned char *bytes, unsigned length)
{
    unsigned value = 0;
    if (bytes)
        HASH_SAX(bytes, length, value);
    return value;
}

//: explore --array bytes:length
unsigned hash_fnv(const unsigned char *bytes, unsigned length)
{
    unsigned value = 0;
    if (bytes)
        HASH_FNV(bytes, length, value);
    return value;
}

//: explore --array bytes:length
unsigned hash_oat(const unsigned char *bytes, unsigned length)
{
    unsigned value = 0;
    if (bytes)
        HASH_OAT(bytes, length, value);
    return value;
}
