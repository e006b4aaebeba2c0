// What every model in C begins with. In these files the names of library functions mean the
// real ones (the pass puts no models in place of them); a model is called by its own name.
#ifndef ELSEWISE_MODELS_H
#define ELSEWISE_MODELS_H

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef unsigned char byte;

// Of the runtime; see its `models/help.rs`. None of these gives its result a label.
void __elw_model(void);
unsigned long __elw_value(unsigned long value);
void __elw_settle(const void *address, size_t size);
void __elw_clear(const void *address, size_t size);
void __elw_fresh(const void *block, size_t size);
void __elw_forget(const void *block);
void __elw_unfollowed(void);
void __elw_loses_input(void);
void __elw_goes_on(void);

// A model that says so, and calls the real function.
#define LOSES_INPUT(result, name, parameters, arguments)                                           \
    result __elw_m_##name parameters                                                               \
    {                                                                                              \
        __elw_model();                                                                             \
        __elw_loses_input();                                                                       \
        return name arguments;                                                                     \
    }

int __elw_input_fd(int fd);
void __elw_for_stream(void);
void __elw_comes_back(void);

// Said before memory is touched that other threads may see: what this model does not hand on to
// another that says so.
void __elw_reads(const void *address, size_t size);
void __elw_writes(const void *address, size_t size);
void __elw_reads_text(const char *text, size_t limit);
void __elw_reads_until(const char *text, int c);
void __elw_prints(char *to, size_t room, const char *text, va_list list);

// What a function touches between the two is one move, where it is known only then.
void __elw_begins(void);
void __elw_ends(void);

// Models of the runtime that models in C use.
void __elw_m_here(void);
void *__elw_m_malloc(size_t size);
void *__elw_m_realloc(void *old, size_t size);
void *__elw_m_memmove(void *to, const void *from, size_t size);
void *__elw_m_memset(void *to, int value, size_t size);
ssize_t __elw_m_read(int fd, void *to, size_t count);

// Of glibc: reports an overflow that a fortified function found, and ends the program.
_Noreturn void __chk_fail(void);

// The pass knows an object with models by this function.
__attribute__((constructor(101))) static void __elw_models_start(void)
{
    __elw_m_here();
}

// Another name of the same function, which a program may define for itself.
#define ALSO(name, model) \
    extern __typeof(__elw_m_##model) __elw_m_##name __attribute__((weak, alias("__elw_m_" #model)))

// The whole of the C locale's white space.
static inline int __elw_h_space(int c)
{
    return (c == ' ') | (((unsigned)c - '\t') < 5);
}

// The end of a function that has read a number from a text and says where that ends.
static inline void __elw_h_read_number(const char *text, const char *stop, char **end)
{
    __elw_reads(text, (size_t)(stop - text) + 1);
    if (end) {
        __elw_writes(end, sizeof *end);
        *end = (char *)stop;
    }
    __elw_ends();
}

// What is remembered between calls, in the runtime: of a model there is a copy in every shared
// library, and they read the same streams and words.
struct __elw_pushed {
    FILE *file;
    int count;
    byte bytes[16];
};
extern struct __elw_remembered {
    // Characters that were pushed back to a stream.
    struct __elw_pushed pushed[16];
    // Where `strtok` goes on.
    char *tokens;
    // Where the scan for options stands: the rest of the present word, and the words that are no
    // options.
    const char *rest;
    int first, last;
    enum { IN_ORDER, PERMUTE, STOP_EARLY } ordering;
    int begun;
    // What `optopt` is after each call, whatever the program has set it to.
    int option;
} __elw_remembered;
_Static_assert(sizeof __elw_remembered <= 1024, "there is room in the runtime");

// Shared between the files.
int __elw_h_getc(FILE *file);
int __elw_h_ungetc(int c, FILE *file);
int __elw_h_is_input(FILE *file);

#endif
