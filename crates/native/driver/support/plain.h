/* What the parts of the uninstrumented build's support have in common. */
#ifndef ELSEWISE_PLAIN_H
#define ELSEWISE_PLAIN_H

#include <stddef.h>

/* Fills `size` bytes with those of the case's input `key` from `from` on; zero beyond them. */
void elsewise_plain_read(void *p, size_t size, const char *key, size_t from);

/* The same for the first input of that name, and how a file of a case is called. */
void elsewise_plain_read_named(void *p, size_t size, const char *name, size_t from);

/* Writes down that a value was asked for, where somebody wants to know. */
void elsewise_plain_asked(const char *type, const void *value, size_t size);

/* The file to which generated code tells what happens, if somebody wants to know. */
const char *elsewise_plain_observed(void);

void elsewise_input(void *p, size_t size, const char *name);
void elsewise_assume(int cond);
void elsewise_atomic_begin(void);
void elsewise_atomic_end(void);
__attribute__((noreturn)) void elsewise_fail(const char *text, const char *file, int line);

#endif
