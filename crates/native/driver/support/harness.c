/* The uninstrumented build's part of harnesses that are written for KLEE and for the verifiers of
 * SV-COMP: values come from the files of a case.
 */
#include "plain.h"

#include <stdint.h>
#include <stdlib.h>

#define OURS __attribute__((weak))

OURS void klee_make_symbolic(void *p, size_t size, const char *name)
{
    elsewise_input(p, size, name);
}

OURS int klee_int(const char *name)
{
    int value;
    elsewise_input(&value, sizeof value, name);
    return value;
}

OURS int klee_range(int begin, int end, const char *name)
{
    int value;
    elsewise_input(&value, sizeof value, name);
    elsewise_assume(value >= begin && value < end);
    return value;
}

OURS void klee_assume(uintptr_t condition)
{
    elsewise_assume(condition != 0);
}

OURS void klee_silent_exit(int status)
{
    (void)status;
    elsewise_assume(0);
}

OURS void klee_abort(void)
{
    abort();
}

OURS void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)suffix;
    elsewise_fail(message, file, line);
}

OURS unsigned klee_is_symbolic(uintptr_t n)
{
    (void)n;
    return 0;
}

OURS void klee_prefer_cex(void *object, uintptr_t condition)
{
    (void)object;
    (void)condition;
}

OURS void klee_open_merge(void)
{
}

OURS void klee_close_merge(void)
{
}

OURS void klee_warning(const char *message)
{
    (void)message;
}

OURS void klee_warning_once(const char *message)
{
    (void)message;
}

OURS void __VERIFIER_assume(int condition)
{
    elsewise_assume(condition);
}

OURS void reach_error(void)
{
    elsewise_fail("reach_error()", "", 0);
}

OURS void __VERIFIER_error(void)
{
    elsewise_fail("reach_error()", "", 0);
}

/* All calls for one type share an input. */
#define NONDET(name, type, key) \
    OURS type __VERIFIER_nondet_##name(void) \
    { \
        type value; \
        elsewise_plain_read(&value, sizeof value, "nondet_" #key, at_##key); \
        at_##key += sizeof value; \
        elsewise_plain_asked(#name, &value, sizeof value); \
        return value; \
    }

#define COUNTED(name, type) \
    static size_t at_##name; \
    NONDET(name, type, name)

COUNTED(char, char)
COUNTED(uchar, unsigned char)
COUNTED(short, short)
COUNTED(ushort, unsigned short)
COUNTED(int, int)
COUNTED(uint, unsigned)
COUNTED(long, long)
COUNTED(ulong, unsigned long)
COUNTED(longlong, long long)
COUNTED(ulonglong, unsigned long long)
COUNTED(size_t, size_t)
COUNTED(pointer, void *)
COUNTED(float, float)
COUNTED(double, double)
NONDET(u8, unsigned char, uchar)
NONDET(u16, unsigned short, ushort)
NONDET(u32, unsigned, uint)
NONDET(unsigned, unsigned, uint)
NONDET(unsigned_char, unsigned char, uchar)
NONDET(loff_t, long, long)

OURS _Bool __VERIFIER_nondet_bool(void)
{
    static size_t at;
    unsigned char byte;
    elsewise_plain_read(&byte, 1, "nondet_bool", at++);
    byte &= 1;
    elsewise_plain_asked("bool", &byte, 1);
    return byte;
}
