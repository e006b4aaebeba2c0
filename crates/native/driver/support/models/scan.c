// `scanf` and its relatives, from a string or a stream, as glibc does it in the C locale. Wide
// characters and `%'d` are not known here: such a format goes to the real function.
#include "models.h"
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

double __elw_m_strtod(const char *text, char **end);
float __elw_m_strtof(const char *text, char **end);
long double __elw_m_strtold(const char *text, char **end);
long __elw_m_strtol(const char *text, char **end, int base);
unsigned long __elw_m_strtoul(const char *text, char **end, int base);

// The longest number that is read; what is longer has leading zeros or does not fit any type.
enum { MOST = 512 };
enum { CONVERTED, NO_MATCH, AT_END, STOP };

// Where characters come from: a string, or a stream.
struct __elw_source {
    const byte *text;
    FILE *file;
    long taken;
    // How far the text was looked at.
    const byte *seen;
    int ended, errno_at_end;
};

// Whoever reads again after the end finds errno as it was there.
static int __elw_h_next(struct __elw_source *in)
{
    int c = EOF;
    if (in->ended) {
        errno = in->errno_at_end;
        return EOF;
    }
    if (in->file)
        c = __elw_h_getc(in->file);
    else if (*in->text)
        c = *in->text++;
    if (in->text > in->seen)
        in->seen = in->text;
    if (c != EOF) {
        in->taken++;
        return c;
    }
    in->ended = 1;
    in->seen += !in->file;
    in->errno_at_end = errno;
    return EOF;
}

static void __elw_h_back(struct __elw_source *in, int c)
{
    if (c == EOF)
        return;
    in->taken--;
    if (in->file)
        __elw_h_ungetc(c, in->file);
    else
        in->text--;
}

// One conversion, taken apart.
struct conversion {
    int suppress, allocate, width;
    // 0, or 'H' for hh, 'h', 'l', 'q' for ll, 'L'.
    int size;
    int kind;
    // Of `%[`: the characters between the brackets.
    const byte *set, *set_end;
    int negated;
};

static const byte *__elw_h_conversion(const byte *f, struct conversion *conversion)
{
    *conversion = (struct conversion){.width = -1};
    for (;; f++) {
        if (*f == '*')
            conversion->suppress = 1;
        else if (*f != 'I')
            break;
    }
    if (((unsigned)*f - '0') < 10) {
        conversion->width = 0;
        for (; ((unsigned)*f - '0') < 10; f++)
            conversion->width = conversion->width * 10 + (*f - '0');
        if (conversion->width == 0)
            conversion->width = -1;
    }
    if (*f == 'm') {
        conversion->allocate = 1;
        f++;
    }
    if (*f == 'h' || *f == 'l') {
        conversion->size = *f++;
        if (*f == conversion->size) {
            conversion->size = *f++ == 'h' ? 'H' : 'q';
        }
    } else if (*f == 'q' || *f == 'L') {
        conversion->size = *f++;
    } else if (*f == 'j' || *f == 'z' || *f == 't' || *f == 'Z') {
        conversion->size = 'l';
        f++;
    }
    conversion->kind = *f;
    if (!*f)
        return f;
    f++;
    if (conversion->kind == '[') {
        conversion->negated = *f == '^';
        f += conversion->negated;
        conversion->set = f;
        if (*f == ']')
            f++;
        while (*f && *f != ']')
            f++;
        conversion->set_end = f;
        f += *f != 0;
    }
    return f;
}

// Is everything in the format known here?
static int __elw_h_known(const char *format)
{
    const byte *f = (const byte *)format;
    while (*f) {
        if (*f++ != '%')
            continue;
        struct conversion conversion;
        const byte *digits = f;
        while (((unsigned)*digits - '0') < 10)
            digits++;
        if (*digits == '$')
            return 0;
        f = __elw_h_conversion(f, &conversion);
        if (!conversion.kind || !strchr("diouxXpnsc[%fFeEgGaA", conversion.kind))
            return 0;
        if (conversion.size == 'l' && strchr("sc[", conversion.kind))
            return 0;
        if (conversion.kind == '[' && f[-1] != ']')
            return 0;
    }
    return 1;
}

// Membership is one term over the ranges of the set.
static int __elw_h_in_set(const struct conversion *conversion, int c)
{
    int found = 0;
    const byte *at = conversion->set, *end = conversion->set_end;
    while (at < end) {
        if (at + 2 < end && at[1] == '-' && at[0] <= at[2]) {
            found |= ((unsigned)c - at[0]) <= (unsigned)(at[2] - at[0]);
            at += 3;
        } else {
            found |= c == *at;
            at++;
        }
    }
    return found != conversion->negated;
}

// Where characters go: the program's buffer, one that grows, or nowhere.
struct target {
    char *to;
    size_t size, room;
    int allocated, kept;
};

static void __elw_h_add(struct target *target, int c)
{
    if (!target->kept)
        return;
    if (target->allocated && target->size == target->room) {
        target->room = target->room ? target->room * 2 : 100;
        target->to = __elw_m_realloc(target->to, target->room);
        if (!target->to) {
            target->kept = 0;
            return;
        }
    }
    if (!target->allocated)
        __elw_writes(target->to + target->size, 1);
    target->to[target->size++] = (char)c;
}

static int __elw_h_text(struct __elw_source *in, const struct conversion *conversion, void *to)
{
    int kind = conversion->kind, width = conversion->width;
    struct target target = {
        .to = conversion->allocate ? NULL : to,
        .allocated = conversion->allocate,
        .kept = !conversion->suppress,
    };
    if (width < 0)
        width = kind == 'c' ? 1 : INT_MAX;
    int c = __elw_h_next(in), any = 0;
    if (c == EOF)
        return AT_END;
    do {
        int ends = kind == 's'   ? __elw_h_space(c)
                   : kind == '[' ? !__elw_h_in_set(conversion, c)
                                 : 0;
        if (ends) {
            __elw_h_back(in, c);
            break;
        }
        any = 1;
        __elw_h_add(&target, c);
    } while (--width > 0 && (c = __elw_h_next(in)) != EOF);
    if (!any)
        return NO_MATCH;
    if (kind != 'c')
        __elw_h_add(&target, 0);
    if (conversion->allocate && !conversion->suppress) {
        if (!target.to)
            return STOP;
        __elw_writes(to, sizeof(char *));
        *(char **)to = target.to;
    }
    return CONVERTED;
}

static void __elw_h_store(void *to, int size, unsigned long value)
{
    __elw_writes(to, size == 'H' ? 1 : size == 'h' ? 2 : size ? 8 : 4);
    if (size == 'H')
        *(char *)to = (char)value;
    else if (size == 'h')
        *(short *)to = (short)value;
    else if (size)
        *(long *)to = (long)value;
    else
        *(int *)to = (int)value;
}

static int __elw_h_whole(struct __elw_source *in, const struct conversion *conversion, void *to)
{
    char text[MOST];
    int n = 0, width = conversion->width, kind = conversion->kind;
    int base = kind == 'i' ? 0 : kind == 'o' ? 8 : kind == 'd' || kind == 'u' ? 10 : 16;
    int c = __elw_h_next(in);
    if (c == EOF)
        return AT_END;
    int sign = 0;
    if (c == '-' || c == '+') {
        text[n++] = (char)c;
        sign = 1;
        if (width > 0)
            width--;
        c = __elw_h_next(in);
    }
    if ((base == 0 || base == 16) && width != 0 && c == '0') {
        text[n++] = '0';
        if (width > 0)
            width--;
        c = __elw_h_next(in);
        if (width != 0 && (c | 32) == 'x') {
            base = 16;
            if (width > 0)
                width--;
            c = __elw_h_next(in);
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    while (c != EOF && width != 0) {
        int digit = base == 16 ? (((unsigned)c - '0') < 10) | ((((unsigned)c | 32) - 'a') < 6)
                               : ((unsigned)c - '0') < (unsigned)base;
        if (!digit)
            break;
        if (n < MOST - 1)
            text[n++] = (char)c;
        if (width > 0)
            width--;
        c = __elw_h_next(in);
    }
    __elw_h_back(in, c);
    if (n == sign) {
        // A null pointer may be written as printf does.
        if (kind == 'p' && n == 0 && c == '(') {
            const char *rest = "(nil)";
            for (; *rest; rest++) {
                int letter = __elw_h_next(in);
                if (letter + ((((unsigned)letter - 'A') < 26) * 32) != *rest)
                    break;
            }
            if (!*rest) {
                if (!conversion->suppress)
                    __elw_h_store(to, 'l', 0);
                return CONVERTED;
            }
        }
        return NO_MATCH;
    }
    text[n] = 0;
    int is_signed = kind == 'd' || kind == 'i';
    unsigned long value = is_signed ? (unsigned long)__elw_m_strtol(text, NULL, base)
                                    : __elw_m_strtoul(text, NULL, base);
    if (!conversion->suppress)
        __elw_h_store(to, kind == 'p' ? 'l' : conversion->size, value);
    return CONVERTED;
}

// The rest of a word whose letters must follow each other; 1 when they do.
static int __elw_h_rest(struct __elw_source *in, const char *rest, char *text, int *n, int *width)
{
    for (; *rest; rest++) {
        int c;
        if (*width == 0 || (c = __elw_h_next(in)) == EOF)
            return 0;
        if ((c | 32) != *rest) {
            return 0;
        }
        if (*width > 0)
            --*width;
        text[(*n)++] = (char)c;
    }
    return 1;
}

// The characters of a floating-point number; how many, or less than 0 when there is none.
static int __elw_h_float_text(struct __elw_source *in, int width, char *text, int c)
{
    int n = 0, sign = 0, digit = 0, point = 0, exponent = 0, hex = 0;
    if (c == '-' || c == '+') {
        sign = 1;
        text[n++] = (char)c;
        if (width == 0 || (c = __elw_h_next(in)) == EOF)
            return -1;
        if (width > 0)
            width--;
    }
    if ((c | 32) == 'n') {
        text[n++] = (char)c;
        return __elw_h_rest(in, "an", text, &n, &width) ? n : -1;
    }
    if ((c | 32) == 'i') {
        text[n++] = (char)c;
        if (!__elw_h_rest(in, "nf", text, &n, &width))
            return -1;
        if (width != 0 && (c = __elw_h_next(in)) != EOF) {
            if ((c | 32) != 'i') {
                __elw_h_back(in, c);
                return n;
            }
            text[n++] = (char)c;
            if (width > 0)
                width--;
            if (!__elw_h_rest(in, "nity", text, &n, &width))
                return -1;
        }
        return n;
    }
    int mark = 'e';
    if (width != 0 && c == '0') {
        text[n++] = '0';
        c = __elw_h_next(in);
        if (width > 0)
            width--;
        if (width != 0 && (c | 32) == 'x' && c != EOF) {
            text[n++] = (char)c;
            hex = 1;
            mark = 'p';
            c = __elw_h_next(in);
            if (width > 0)
                width--;
        } else {
            digit = 1;
        }
    }
    int last = 0;
    while (c != EOF) {
        int number = ((unsigned)c - '0') < 10;
        if (hex && !exponent)
            number |= (((unsigned)c | 32) - 'a') < 6;
        if (number) {
            digit = 1;
            last = '0';
        } else if (last == mark && (c == '-' || c == '+')) {
            last = c;
        } else if (digit && !exponent && (c | 32) == mark) {
            exponent = point = 1;
            last = mark;
        } else if (!point && c == '.') {
            point = 1;
            last = c;
        } else {
            __elw_h_back(in, c);
            break;
        }
        if (n < MOST - 1)
            text[n++] = (char)c;
        if (width == 0 || (c = __elw_h_next(in)) == EOF)
            break;
        if (width > 0)
            width--;
    }
    return n == sign || (hex && n == sign + 2) ? -1 : n;
}

static int __elw_h_float(struct __elw_source *in, const struct conversion *conversion, void *to)
{
    char text[MOST], *stop;
    int width = conversion->width, c = __elw_h_next(in);
    if (width > 0)
        width--;
    if (c == EOF)
        return AT_END;
    int n = __elw_h_float_text(in, width, text, c);
    if (n < 0)
        return NO_MATCH;
    text[n] = 0;
    if (conversion->size == 'L' || conversion->size == 'q') {
        long double value = __elw_m_strtold(text, &stop);
        if (stop != text && !conversion->suppress) {
            __elw_writes(to, sizeof value);
            *(long double *)to = value;
        }
    } else if (conversion->size == 'l') {
        double value = __elw_m_strtod(text, &stop);
        if (stop != text && !conversion->suppress) {
            __elw_writes(to, sizeof value);
            *(double *)to = value;
        }
    } else {
        float value = __elw_m_strtof(text, &stop);
        if (stop != text && !conversion->suppress) {
            __elw_writes(to, sizeof value);
            *(float *)to = value;
        }
    }
    return stop == text ? NO_MATCH : CONVERTED;
}

static int __elw_h_skip(struct __elw_source *in)
{
    int c, saved = errno;
    if (in->ended)
        return EOF;
    errno = 0;
    do
        c = __elw_h_next(in);
    while (c != EOF && __elw_h_space(c));
    errno = saved;
    return c;
}

static int __elw_h_scan(struct __elw_source *in, const char *format, va_list list)
{
    int done = 0, space = 0;
    const byte *f = (const byte *)format;
    while (*f) {
        if (*f != '%') {
            int wanted = *f++;
            if (__elw_h_space(wanted)) {
                space = 1;
                continue;
            }
            int c = space ? __elw_h_skip(in) : __elw_h_next(in);
            space = 0;
            if (c == EOF)
                return done ? done : EOF;
            if (c != wanted) {
                __elw_h_back(in, c);
                return done;
            }
            continue;
        }
        struct conversion conversion;
        f = __elw_h_conversion(f + 1, &conversion);
        int kind = conversion.kind;
        if (space || (kind != '[' && kind != 'c' && kind != 'n'))
            __elw_h_back(in, __elw_h_skip(in));
        space = 0;
        if (kind == '%') {
            int c = __elw_h_next(in);
            if (c == EOF)
                return done ? done : EOF;
            if (c != '%') {
                __elw_h_back(in, c);
                return done;
            }
            continue;
        }
        void *to = conversion.suppress ? NULL : va_arg(list, void *);
        if (kind == 'n') {
            if (to)
                __elw_h_store(to, conversion.size, (unsigned long)in->taken);
            continue;
        }
        int result = kind == 's' || kind == 'c' || kind == '[' ? __elw_h_text(in, &conversion, to)
                     : kind == 'p' || strchr("diouxX", kind)   ? __elw_h_whole(in, &conversion, to)
                                                               : __elw_h_float(in, &conversion, to);
        if (result == AT_END)
            return done ? done : EOF;
        if (result != CONVERTED)
            return done;
        done += !conversion.suppress;
    }
    if (space)
        __elw_h_back(in, __elw_h_skip(in));
    return done;
}

static int __elw_h_text_scan(const char *text, const char *format, va_list list)
{
    if (!__elw_h_known(format)) {
        __elw_unfollowed();
        return vsscanf(text, format, list);
    }
    struct __elw_source in = {.text = (const byte *)text, .seen = (const byte *)text};
    __elw_begins();
    int done = __elw_h_scan(&in, format, list);
    __elw_reads(text, (size_t)(in.seen - (const byte *)text));
    __elw_ends();
    return done;
}

static int __elw_h_file_scan(FILE *file, const char *format, va_list list)
{
    if (!__elw_h_known(format)) {
        __elw_unfollowed();
        return vfscanf(file, format, list);
    }
    struct __elw_source in = {.file = file};
    __elw_begins();
    int done = __elw_h_scan(&in, format, list);
    __elw_ends();
    return done;
}

int __elw_m_vsscanf(const char *text, const char *format, va_list list)
{
    __elw_model();
    return __elw_h_text_scan(text, format, list);
}

int __elw_m_sscanf(const char *text, const char *format, ...)
{
    __elw_model();
    va_list list;
    va_start(list, format);
    int done = __elw_h_text_scan(text, format, list);
    va_end(list);
    return done;
}

int __elw_m_vfscanf(FILE *file, const char *format, va_list list)
{
    __elw_model();
    return __elw_h_file_scan(file, format, list);
}

int __elw_m_fscanf(FILE *file, const char *format, ...)
{
    __elw_model();
    va_list list;
    va_start(list, format);
    int done = __elw_h_file_scan(file, format, list);
    va_end(list);
    return done;
}

int __elw_m_vscanf(const char *format, va_list list)
{
    __elw_model();
    return __elw_h_file_scan(stdin, format, list);
}

int __elw_m_scanf(const char *format, ...)
{
    __elw_model();
    va_list list;
    va_start(list, format);
    int done = __elw_h_file_scan(stdin, format, list);
    va_end(list);
    return done;
}
