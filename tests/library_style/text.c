/* Functions as libraries have them: a struct with a buffer and its capacity, hooks for memory,
 * callbacks with data of their caller's, streams. Each refuses what it cannot work with, so that
 * whatever fails here would be the fault of a harness, except in `text_find`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *data;
    size_t length;
    size_t capacity;
    void *(*grow)(void *, size_t);
    void (*release)(void *);
};

struct counter {
    long counts[32];
    long all;
};

static int is_sound(const struct text *text)
{
    return text && text->data && text->length <= text->capacity;
}

int text_sum(const struct text *text)
{
    int sum = 0;
    if (!is_sound(text))
        return -1;
    for (size_t i = 0; i < text->length; i++)
        sum += text->data[i] == 'a';
    return sum;
}

int text_append(struct text *text, const char *more)
{
    size_t count;
    char *data;
    if (!is_sound(text) || !more || !text->grow)
        return -1;
    count = strlen(more);
    if (text->capacity - text->length < count) {
        data = text->grow(text->data, text->length + count);
        if (!data)
            return -1;
        text->data = data;
        text->capacity = text->length + count;
    }
    memcpy(text->data + text->length, more, count);
    text->length += count;
    return 0;
}

void text_drop(struct text *text)
{
    if (text && text->release) {
        text->release(text->data);
        text->data = NULL;
    }
}

int text_write(const struct text *text, FILE *out)
{
    if (!is_sound(text) || !out)
        return -1;
    return fwrite(text->data, 1, text->length, out) == text->length ? 0 : -1;
}

int text_each(const struct text *text, int (*visit)(char, void *), void *data)
{
    if (!is_sound(text) || !visit)
        return -1;
    for (size_t i = 0; i < text->length; i++) {
        if (visit(text->data[i], data))
            return 1;
    }
    return 0;
}

int count_letter(char letter, void *data)
{
    struct counter *counter = data;
    if (!counter)
        return 1;
    counter->all++;
    return counter->counts[letter & 31]++ > 9;
}

int words(const unsigned char *text)
{
    int count = 0, within = 0;
    if (!text)
        return 0;
    for (; *text; text++) {
        int letter = *text > ' ';
        count += letter && !within;
        within = letter;
    }
    return count;
}

unsigned checksum(const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    unsigned sum = 1;
    if (!bytes)
        return 0;
    while (count--)
        sum = sum * 31 + *at++;
    return sum;
}

/* Looks at one more than there are. */
int text_find(const struct text *text, char wanted)
{
    if (!is_sound(text))
        return -1;
    for (size_t i = 0; i <= text->length; i++) {
        if (text->data[i] == wanted) /* bug */
            return (int)i;
    }
    return -1;
}
