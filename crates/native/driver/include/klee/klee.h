/* KLEE's functions for programs that are written for it, as far as they mean something here. */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the `nbytes` bytes at `addr` an input called `name`. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);
/* An input that is an int; in [begin, end) with the second function. */
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
/* Cases in which the condition does not hold count for nothing. */
void klee_assume(uintptr_t condition);
__attribute__((noreturn)) void klee_silent_exit(int status);
/* Failures. */
__attribute__((noreturn)) void klee_abort(void);
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
    const char *suffix);
/* Always 0: what a program does must not depend on how it is tested. */
unsigned klee_is_symbolic(uintptr_t n);
/* Advice that changes nothing. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_warning(const char *message);
void klee_warning_once(const char *message);

#ifdef __cplusplus
}
#endif

#endif
