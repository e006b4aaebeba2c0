// Sorting and searching with a function of the program's: the same comparisons in the same
// order as glibc's merge sort.
#include "models.h"
#include <stdlib.h>

typedef int (*__elw_order)(const void *, const void *, void *);

static void __elw_h_merge(byte *at, size_t count, size_t size, byte *room, __elw_order order,
                          void *with)
{
    if (count <= 1)
        return;
    size_t left = count / 2, right = count - left;
    byte *a = at, *b = at + left * size, *to = room;
    __elw_h_merge(a, left, size, room, order, with);
    __elw_h_merge(b, right, size, room, order, with);
    while (left && right) {
        if (order(a, b, with) <= 0) {
            __elw_m_memmove(to, a, size);
            a += size;
            left--;
        } else {
            __elw_m_memmove(to, b, size);
            b += size;
            right--;
        }
        to += size;
    }
    if (left)
        __elw_m_memmove(to, a, left * size);
    __elw_m_memmove(at, room, (count - right) * size);
}

static void __elw_h_sort(void *at, size_t count, size_t size, __elw_order order, void *with)
{
    if (count <= 1 || size == 0)
        return;
    byte *room = __elw_m_malloc(count * size);
    if (!room) {
        __elw_unfollowed();
        qsort_r(at, count, size, order, with);
        __elw_clear(at, count * size);
        return;
    }
    __elw_h_merge(at, count, size, room, order, with);
    __elw_forget(room);
    free(room);
}

void __elw_m_qsort_r(void *at, size_t count, size_t size, __elw_order order, void *with)
{
    __elw_model();
    __elw_h_sort(at, count, size, order, with);
}

static int __elw_h_plain_order(const void *a, const void *b, void *with)
{
    return ((int (*)(const void *, const void *))with)(a, b);
}

void __elw_m_qsort(void *at, size_t count, size_t size, int (*order)(const void *, const void *))
{
    __elw_model();
    __elw_h_sort(at, count, size, __elw_h_plain_order, (void *)order);
}

void *__elw_m_bsearch(const void *key, const void *at, size_t count, size_t size,
                      int (*order)(const void *, const void *))
{
    __elw_model();
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const byte *element = (const byte *)at + middle * size;
        int result = order(key, element);
        if (result < 0)
            high = middle;
        else if (result > 0)
            low = middle + 1;
        else
            return (void *)element;
    }
    return NULL;
}

void *__elw_m_lfind(const void *key, const void *at, size_t *count, size_t size,
                    int (*order)(const void *, const void *))
{
    __elw_model();
    const byte *element = at;
    for (size_t i = 0; i < *count; i++, element += size)
        if (order(key, element) == 0)
            return (void *)element;
    return NULL;
}

void *__elw_m_lsearch(const void *key, void *at, size_t *count, size_t size,
                      int (*order)(const void *, const void *))
{
    __elw_model();
    void *found = __elw_m_lfind(key, at, count, size, order);
    if (!found) {
        found = __elw_m_memmove((byte *)at + *count * size, key, size);
        ++*count;
    }
    return found;
}
