// Printing into memory. Text keeps its labels; numbers are followed as far as the arguments of a
// variadic call are. Floating-point numbers and `%m` are written by the real function.
#include "models.h"
#include <stdlib.h>
#include <string.h>

struct out {
    char *to;
    // Room for characters and the NUL.
    size_t room, size;
};

static void __elw_h_emit(struct out *out, int c)
{
    if (out->size + 1 < out->room)
        out->to[out->size] = (char)c;
    out->size++;
}

static void __elw_h_repeat(struct out *out, int c, long count)
{
    for (; count > 0; count--)
        __elw_h_emit(out, c);
}

static void __elw_h_emit_all(struct out *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        __elw_h_emit(out, text[i]);
}

struct format {
    int left, plus, blank, other, zero;
    int width, precision;
    int size, kind;
};

static const byte *__elw_h_format(const byte *f, struct format *format, va_list list)
{
    *format = (struct format){.precision = -1};
    for (;; f++) {
        if (*f == '-')
            format->left = 1;
        else if (*f == '+')
            format->plus = 1;
        else if (*f == ' ')
            format->blank = 1;
        else if (*f == '#')
            format->other = 1;
        else if (*f == '0')
            format->zero = 1;
        else if (*f != '\'')
            break;
    }
    if (*f == '*') {
        f++;
        format->width = va_arg(list, int);
        if (format->width < 0) {
            format->left = 1;
            format->width = -format->width;
        }
    } else {
        for (; ((unsigned)*f - '0') < 10; f++)
            format->width = format->width * 10 + (*f - '0');
    }
    if (*f == '.') {
        f++;
        format->precision = 0;
        if (*f == '*') {
            f++;
            format->precision = va_arg(list, int);
            if (format->precision < 0)
                format->precision = -1;
        } else {
            for (; ((unsigned)*f - '0') < 10; f++)
                format->precision = format->precision * 10 + (*f - '0');
        }
    }
    if (*f == 'h' || *f == 'l') {
        format->size = *f++;
        if (*f == format->size)
            format->size = *f++ == 'h' ? 'H' : 'q';
    } else if (*f == 'q' || *f == 'L') {
        format->size = *f++;
    } else if (*f == 'j' || *f == 'z' || *f == 't' || *f == 'Z') {
        format->size = 'l';
        f++;
    }
    format->kind = *f;
    return *f ? f + 1 : f;
}

static void __elw_h_number(struct out *out, const struct format *format, unsigned long value,
                           const char *prefix, unsigned base)
{
    char digits[72];
    int n = 0;
    const char *alphabet = format->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    while (value) {
        unsigned digit = (unsigned)(value % base);
        // Below ten by a sum, so that the digit is a term and not a look-up.
        digits[n++] = base <= 10 ? (char)('0' + digit) : alphabet[digit];
        value /= base;
    }
    int least = format->precision < 0 ? 1 : format->precision;
    if (base == 8 && format->other && least <= n)
        least = n + 1;
    long zeros = least > n ? least - n : 0;
    long length = (long)strlen(prefix) + zeros + n;
    if (format->zero && !format->left && format->precision < 0 && format->width > length) {
        zeros += format->width - length;
        length = format->width;
    }
    if (!format->left)
        __elw_h_repeat(out, ' ', format->width - length);
    __elw_h_emit_all(out, prefix, strlen(prefix));
    __elw_h_repeat(out, '0', zeros);
    while (n)
        __elw_h_emit(out, digits[--n]);
    if (format->left)
        __elw_h_repeat(out, ' ', format->width - length);
}

static void __elw_h_text_out(struct out *out, const struct format *format, const char *text)
{
    size_t n = 0, most = format->precision < 0 ? SIZE_MAX : (size_t)format->precision;
    if (!text)
        text = most >= 6 ? "(null)" : "";
    __elw_reads_text(text, most);
    while (n < most && text[n])
        n++;
    long pad = (size_t)format->width > n ? format->width - (long)n : 0;
    if (!format->left)
        __elw_h_repeat(out, ' ', pad);
    __elw_h_emit_all(out, text, n);
    if (format->left)
        __elw_h_repeat(out, ' ', pad);
}

// `asprintf`, of which it is known here that it reads nothing but the format.
int __elw_h_print_float(char **to, const char *spec, int width, int precision, double value);

// `%m` and floating-point numbers: by the real function, from a format of the same meaning.
static int __elw_h_by_real(struct out *out, const struct format *format, va_list list)
{
    char spec[24] = {0}, *s = spec;
    *s++ = '%';
    if (format->left)
        *s++ = '-';
    if (format->plus)
        *s++ = '+';
    if (format->blank)
        *s++ = ' ';
    if (format->other)
        *s++ = '#';
    if (format->zero)
        *s++ = '0';
    *s++ = '*';
    *s++ = '.';
    *s++ = '*';
    if (format->size == 'L' || format->size == 'q')
        *s++ = 'L';
    *s++ = (char)format->kind;
    *s = 0;
    // It points nowhere before it is made: the real function can reach nothing of ours through it.
    char small[128], *made = NULL;
    int n;
    if (format->kind == 'm') {
        __elw_settle(&errno, sizeof errno);
        n = snprintf(small, sizeof small, spec, format->width, format->precision);
        if (n >= (int)sizeof small)
            n = sizeof small - 1;
        __elw_clear(small, sizeof small);
    } else if (format->size == 'L' || format->size == 'q') {
        n = asprintf(&made, spec, format->width, format->precision, va_arg(list, long double));
    } else {
        double value = va_arg(list, double);
        n = __elw_h_print_float(&made, spec, format->width, format->precision, value);
    }
    __elw_clear(&made, sizeof made);
    if (n < 0)
        return -1;
    __elw_h_emit_all(out, made ? made : small, (size_t)n);
    free(made);
    return 0;
}

static unsigned long __elw_h_argument(const struct format *format, int is_signed, va_list list)
{
    if (format->size == 'l' || format->size == 'q' || format->size == 'L')
        return va_arg(list, unsigned long);
    unsigned value = va_arg(list, unsigned);
    if (format->size == 'h')
        return is_signed ? (unsigned long)(short)value : (unsigned short)value;
    if (format->size == 'H')
        return is_signed ? (unsigned long)(signed char)value : (byte)value;
    return is_signed ? (unsigned long)(int)value : value;
}

static void __elw_h_count(const struct format *format, size_t count, void *to)
{
    int size = format->size;
    __elw_writes(to, size == 'H' ? 1 : size == 'h' ? 2 : size ? 8 : 4);
    if (format->size == 'H')
        *(char *)to = (char)count;
    else if (format->size == 'h')
        *(short *)to = (short)count;
    else if (format->size)
        *(long *)to = (long)count;
    else
        *(int *)to = (int)count;
}

// Formats that are not known here: wide characters, arguments by number.
static int __elw_h_printable(const char *text)
{
    const byte *f = (const byte *)text;
    for (; *f; f++) {
        if (*f != '%')
            continue;
        f++;
        f += strspn((const char *)f, "-+ #0'*.123456789hlqLjztZ");
        if (!*f || !strchr("diouxXcspnm%fFeEgGaA", *f))
            return 0;
        if (f[-1] == 'l' && (*f == 'c' || *f == 's'))
            return 0;
        if (f[-1] == '\'')
            return 0;
    }
    return 1;
}

static int __elw_h_print(char *to, size_t room, const char *text, va_list list)
{
    struct out out = {.to = to, .room = room};
    const byte *f = (const byte *)text;
    while (*f) {
        if (*f != '%') {
            __elw_h_emit(&out, *f++);
            continue;
        }
        struct format format;
        f = __elw_h_format(f + 1, &format, list);
        switch (format.kind) {
        case '%':
            __elw_h_emit(&out, '%');
            break;
        case 'c': {
            int c = va_arg(list, int);
            if (!format.left)
                __elw_h_repeat(&out, ' ', format.width - 1);
            __elw_h_emit(&out, c);
            if (format.left)
                __elw_h_repeat(&out, ' ', format.width - 1);
            break;
        }
        case 's':
            __elw_h_text_out(&out, &format, va_arg(list, const char *));
            break;
        case 'd':
        case 'i': {
            long value = (long)__elw_h_argument(&format, 1, list);
            const char *sign = value < 0 ? "-" : format.plus ? "+" : format.blank ? " " : "";
            unsigned long magnitude = value < 0 ? 0 - (unsigned long)value : (unsigned long)value;
            __elw_h_number(&out, &format, magnitude, sign, 10);
            break;
        }
        case 'u':
            __elw_h_number(&out, &format, __elw_h_argument(&format, 0, list), "", 10);
            break;
        case 'o':
            __elw_h_number(&out, &format, __elw_h_argument(&format, 0, list), "", 8);
            break;
        case 'x':
        case 'X': {
            unsigned long value = __elw_h_argument(&format, 0, list);
            const char *prefix = format.kind == 'x' ? "0x" : "0X";
            __elw_h_number(&out, &format, value, format.other && value ? prefix : "", 16);
            break;
        }
        case 'p': {
            unsigned long value = (unsigned long)va_arg(list, void *);
            format.kind = 'x';
            if (value) {
                const char *prefix = format.plus ? "+0x" : format.blank ? " 0x" : "0x";
                __elw_h_number(&out, &format, value, prefix, 16);
            } else {
                format.precision = -1;
                __elw_h_text_out(&out, &format, "(nil)");
            }
            break;
        }
        case 'n':
            __elw_h_count(&format, out.size, va_arg(list, void *));
            break;
        default:
            if (__elw_h_by_real(&out, &format, list))
                return -1;
        }
    }
    if (room)
        to[out.size < room ? out.size : room - 1] = 0;
    if (out.size > INT_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    return (int)out.size;
}

static int __elw_h_into(char *to, size_t room, const char *text, va_list list)
{
    __elw_prints(to, room, text, list);
    if (__elw_h_printable(text))
        return __elw_h_print(to, room, text, list);
    __elw_unfollowed();
    int n = vsnprintf(to, room, text, list);
    if (n >= 0 && room)
        __elw_clear(to, (size_t)n < room ? (size_t)n + 1 : room);
    return n;
}

// Everything that does not know the size of its target may write so much.
enum { ANY = INT_MAX };

int __elw_m_vsnprintf(char *to, size_t room, const char *text, va_list list)
{
    __elw_model();
    return __elw_h_into(to, room, text, list);
}

int __elw_m___vsnprintf_chk(char *to, size_t room, int flag, size_t there, const char *text,
                            va_list list)
{
    __elw_model();
    (void)flag;
    if (room > there)
        __chk_fail();
    return __elw_h_into(to, room, text, list);
}

int __elw_m_snprintf(char *to, size_t room, const char *text, ...)
{
    __elw_model();
    va_list list;
    va_start(list, text);
    int n = __elw_h_into(to, room, text, list);
    va_end(list);
    return n;
}

int __elw_m___snprintf_chk(char *to, size_t room, int flag, size_t there, const char *text, ...)
{
    __elw_model();
    (void)flag;
    if (room > there)
        __chk_fail();
    va_list list;
    va_start(list, text);
    int n = __elw_h_into(to, room, text, list);
    va_end(list);
    return n;
}

int __elw_m_vsprintf(char *to, const char *text, va_list list)
{
    __elw_model();
    return __elw_h_into(to, ANY, text, list);
}

int __elw_m_sprintf(char *to, const char *text, ...)
{
    __elw_model();
    va_list list;
    va_start(list, text);
    int n = __elw_h_into(to, ANY, text, list);
    va_end(list);
    return n;
}

static int __elw_h_checked(char *to, size_t there, const char *text, va_list list)
{
    int n = __elw_h_into(to, there < ANY ? there : ANY, text, list);
    if (n >= 0 && (size_t)n >= there)
        __chk_fail();
    return n;
}

int __elw_m___vsprintf_chk(char *to, int flag, size_t there, const char *text, va_list list)
{
    __elw_model();
    (void)flag;
    return __elw_h_checked(to, there, text, list);
}

int __elw_m___sprintf_chk(char *to, int flag, size_t there, const char *text, ...)
{
    __elw_model();
    (void)flag;
    va_list list;
    va_start(list, text);
    int n = __elw_h_checked(to, there, text, list);
    va_end(list);
    return n;
}

static int __elw_h_allocated(char **to, const char *text, va_list list)
{
    va_list again;
    va_copy(again, list);
    int n = __elw_h_into(NULL, 0, text, again);
    va_end(again);
    if (n < 0)
        return n;
    char *block = __elw_m_malloc((size_t)n + 1);
    if (!block)
        return -1;
    __elw_writes(to, sizeof *to);
    *to = block;
    return __elw_h_into(block, (size_t)n + 1, text, list);
}

int __elw_m_vasprintf(char **to, const char *text, va_list list)
{
    __elw_model();
    return __elw_h_allocated(to, text, list);
}

int __elw_m_asprintf(char **to, const char *text, ...)
{
    __elw_model();
    va_list list;
    va_start(list, text);
    int n = __elw_h_allocated(to, text, list);
    va_end(list);
    return n;
}

int __elw_m___vasprintf_chk(char **to, int flag, const char *text, va_list list)
{
    __elw_model();
    (void)flag;
    return __elw_h_allocated(to, text, list);
}

int __elw_m___asprintf_chk(char **to, int flag, const char *text, ...)
{
    __elw_model();
    (void)flag;
    va_list list;
    va_start(list, text);
    int n = __elw_h_allocated(to, text, list);
    va_end(list);
    return n;
}

// Output, for who looks at how much it was.

int __elw_m_vfprintf(FILE *file, const char *format, va_list list)
{
    __elw_model();
    va_list copy;
    va_copy(copy, list);
    int length = __elw_m_vsnprintf(0, 0, format, copy);
    va_end(copy);
    int written = vfprintf(file, format, list);
    return written < 0 ? written : length;
}

int __elw_m_vdprintf(int fd, const char *format, va_list list)
{
    __elw_model();
    va_list copy;
    va_copy(copy, list);
    int length = __elw_m_vsnprintf(0, 0, format, copy);
    va_end(copy);
    int written = vdprintf(fd, format, list);
    return written < 0 ? written : length;
}

int __elw_m_vprintf(const char *format, va_list list)
{
    __elw_model();
    return __elw_m_vfprintf(stdout, format, list);
}

int __elw_m_fprintf(FILE *file, const char *format, ...)
{
    __elw_model();
    va_list list;
    va_start(list, format);
    int length = __elw_m_vfprintf(file, format, list);
    va_end(list);
    return length;
}

int __elw_m_printf(const char *format, ...)
{
    __elw_model();
    va_list list;
    va_start(list, format);
    int length = __elw_m_vfprintf(stdout, format, list);
    va_end(list);
    return length;
}

int __elw_m_dprintf(int fd, const char *format, ...)
{
    __elw_model();
    va_list list;
    va_start(list, format);
    int length = __elw_m_vdprintf(fd, format, list);
    va_end(list);
    return length;
}

int __elw_m_fputc(int c, FILE *file)
{
    __elw_model();
    return fputc(c, file) == EOF ? EOF : c & 0xff;
}

int __elw_m_putchar(int c)
{
    __elw_model();
    return putchar(c) == EOF ? EOF : c & 0xff;
}

size_t __elw_m_fwrite(const void *from, size_t size, size_t count, FILE *file)
{
    __elw_model();
    size_t written = fwrite(from, size, count, file);
    return written == __elw_value(count) ? count : written;
}

ALSO(fputc_unlocked, fputc);
ALSO(putc, fputc);
ALSO(putc_unlocked, fputc);
ALSO(putchar_unlocked, putchar);
ALSO(fwrite_unlocked, fwrite);
