// The operations of <utarray.h>, on arrays that were made through it: an array of up to six ints,
// from the first elements of `values`, and one of strings where elements are copied and freed.
#include "check.h"
#include <string.h>
#include <utarray.h>

#define FEW 6

struct values {
    unsigned char count;
    int values[FEW];
};

static int valid(const struct values *values)
{
    return values && values->count <= FEW;
}

static UT_array *array_of(const struct values *values)
{
    UT_array *array;
    utarray_new(array, &ut_int_icd);
    for (unsigned i = 0; i < values->count; i++)
        utarray_push_back(array, &values->values[i]);
    return array;
}

static UT_array *texts(unsigned char count)
{
    UT_array *array;
    const char *text = "text";
    utarray_new(array, &ut_str_icd);
    for (unsigned i = 0; i < count % 3u; i++)
        utarray_push_back(array, &text);
    return array;
}

static int compare(const void *a, const void *b)
{
    int first = *(const int *)a, second = *(const int *)b;
    return (first > second) - (first < second);
}

//: explore --valid values:valid
void utarray_push(struct values *values, int value)
{
    UT_array *array = array_of(values);
    utarray_push_back(array, &value);
    ensure(*(int *)utarray_back(array) == value);
    utarray_free(array);
}

//: explore --valid values:valid
void utarray_pop(struct values *values)
{
    UT_array *array = array_of(values);
    if (utarray_len(array))
        utarray_pop_back(array);
    ensure(utarray_len(array) < FEW);
    utarray_free(array);
}

//: explore --valid values:valid
void utarray_extend(struct values *values)
{
    UT_array *array = array_of(values);
    utarray_extend_back(array);
    ensure(*(int *)utarray_back(array) == 0);
    utarray_free(array);
}

//: explore --valid values:valid
void utarray_reserve_more(struct values *values, unsigned char by)
{
    UT_array *array = array_of(values);
    utarray_reserve(array, by);
    ensure(array->n >= array->i + by);
    utarray_free(array);
}

//: explore --valid values:valid
void utarray_element(struct values *values, unsigned char at)
{
    UT_array *array = array_of(values);
    int *element = utarray_eltptr(array, at);
    ensure(!element || *element == values->values[at]);
    utarray_free(array);
}

//: explore --valid values:valid
void utarray_insert_at(struct values *values, int value, unsigned char at)
{
    UT_array *array = array_of(values);
    utarray_insert(array, &value, at);
    ensure(*(int *)utarray_eltptr(array, at) == value);
    utarray_free(array);
}

//: explore --valid values:valid
void utarray_insert_array(struct values *values, struct values *other, unsigned char at)
{
    UT_array *array = array_of(values), *added = array_of(other);
    utarray_inserta(array, added, at);
    ensure(utarray_len(array) >= utarray_len(added));
    utarray_free(array);
    utarray_free(added);
}

//: explore --valid values:valid
void utarray_concatenate(struct values *values, struct values *other)
{
    UT_array *array = array_of(values), *added = array_of(other);
    utarray_concat(array, added);
    ensure(utarray_len(array) == values->count + other->count);
    utarray_free(array);
    utarray_free(added);
}

//: explore --valid values:valid
void utarray_resize_to(struct values *values, unsigned char size)
{
    UT_array *array = array_of(values);
    utarray_resize(array, size);
    ensure(utarray_len(array) == size);
    utarray_free(array);
}

//: explore --valid values:valid
void utarray_erase_some(struct values *values, unsigned char at, unsigned char count)
{
    UT_array *array = array_of(values);
    if (at + count <= values->count)
        utarray_erase(array, at, count);
    ensure(utarray_len(array) <= FEW);
    utarray_free(array);
}

//: explore
//: segv: misuse: there are not that many elements to erase, and the pointer to one of them is null
void utarray_erase_strings(unsigned char count, unsigned char at)
{
    UT_array *array = texts(count);
    utarray_erase(array, at, 1);
    utarray_free(array);
}

//: explore
void utarray_strings(unsigned char count, unsigned char size)
{
    UT_array *array = texts(count), *other = texts(size);
    utarray_inserta(array, other, 0);
    utarray_resize(array, size % 3u);
    ensure(utarray_len(array) == size % 3u);
    if (utarray_len(array))
        utarray_pop_back(array);
    utarray_clear(other);
    utarray_free(array);
    utarray_free(other);
}

//: explore --valid values:valid
void utarray_clear_all(struct values *values)
{
    UT_array *array = array_of(values);
    utarray_clear(array);
    ensure(utarray_len(array) == 0);
    utarray_renew(array, &ut_int_icd);
    utarray_free(array);
}

//: explore --valid values:valid
void utarray_in_order(struct values *values, int wanted)
{
    UT_array *array = array_of(values);
    utarray_sort(array, compare);
    int *found = utarray_find(array, &wanted, compare);
    ensure(!found || *found == wanted);
    utarray_free(array);
}

//: explore --valid values:valid
void utarray_walk(struct values *values)
{
    UT_array *array = array_of(values);
    unsigned count = 0;
    for (int *at = utarray_front(array); at; at = utarray_next(array, at))
        count++;
    for (int *at = utarray_back(array); at; at = utarray_prev(array, at))
        count--;
    ensure(count == 0);
    utarray_free(array);
}
