// Reading streams. A stream whose descriptor is an input is read byte by byte through the model
// of `read`, and never buffered: its buffer stays empty, so that the inline `getc_unlocked` of
// the headers ends up here too. Its flags for the end and for errors are glibc's own. All other
// streams are read by the real functions.
#include "models.h"
#include <stdlib.h>
#include <unistd.h>

enum { AT_END = 0x10, IN_ERROR = 0x20 };

static struct __elw_pushed *__elw_h_pushed(FILE *file)
{
    for (int i = 0; i < 16; i++)
        if (__elw_remembered.pushed[i].file == file)
            return &__elw_remembered.pushed[i];
    return NULL;
}

static void __elw_h_drop(FILE *file)
{
    struct __elw_pushed *pushed = __elw_h_pushed(file);
    if (pushed)
        pushed->file = NULL;
}

int __elw_h_is_input(FILE *file)
{
    return __elw_input_fd(file->_fileno);
}

// Said before the descriptor of an input's stream is used.
static void __elw_h_for_stream(FILE *file)
{
    enum { UNBUFFERED = 2 };
    if (!(file->_flags & UNBUFFERED))
        __elw_for_stream();
}

// What a stream that can be written, too, has in its buffer may never have been anywhere else.
static void __elw_h_comes_back(FILE *file)
{
    enum { CANNOT_WRITE = 8 };
    if (!(file->_flags & CANNOT_WRITE))
        __elw_comes_back();
}

int __elw_h_getc(FILE *file)
{
    if (!__elw_h_is_input(file)) {
        __elw_h_comes_back(file);
        return fgetc(file);
    }
    struct __elw_pushed *pushed = __elw_h_pushed(file);
    if (pushed && pushed->count) {
        if (pushed->count == 1)
            pushed->file = NULL;
        return pushed->bytes[--pushed->count];
    }
    // What code that is not instrumented has read ahead.
    if (file->_IO_read_ptr < file->_IO_read_end)
        return (byte)*file->_IO_read_ptr++;
    if (file->_flags & AT_END)
        return EOF;
    byte c;
    __elw_h_for_stream(file);
    long got = (long)__elw_value((unsigned long)__elw_m_read(file->_fileno, &c, 1));
    if (got == 1)
        return c;
    file->_flags |= got == 0 ? AT_END : IN_ERROR;
    return EOF;
}

int __elw_h_ungetc(int c, FILE *file)
{
    if (c == EOF)
        return EOF;
    if (!__elw_h_is_input(file))
        return ungetc(c, file);
    struct __elw_pushed *pushed = __elw_h_pushed(file);
    if (!pushed && (pushed = __elw_h_pushed(NULL))) {
        pushed->file = file;
        pushed->count = 0;
    }
    if (!pushed || pushed->count == sizeof pushed->bytes)
        return EOF;
    pushed->bytes[pushed->count++] = (byte)c;
    file->_flags &= ~AT_END;
    return (byte)c;
}

// `fgetc`, `getc`, their unlocked variants, and `__uflow`.
int __elw_m_fgetc(FILE *file)
{
    __elw_model();
    return __elw_h_getc(file);
}

int __elw_m_getchar(void)
{
    __elw_model();
    return __elw_h_getc(stdin);
}

int __elw_m___underflow(FILE *file)
{
    __elw_model();
    int __underflow(FILE *);
    if (!__elw_h_is_input(file))
        return __underflow(file);
    int c = __elw_h_getc(file);
    __elw_h_ungetc(c, file);
    return c;
}

int __elw_m_ungetc(int c, FILE *file)
{
    __elw_model();
    return __elw_h_ungetc(c, file);
}

static char *__elw_h_gets(char *to, int size, FILE *file)
{
    if (size <= 0)
        return NULL;
    int n = 0, old = file->_flags & IN_ERROR;
    __elw_begins();
    file->_flags &= ~IN_ERROR;
    while (n < size - 1) {
        int c = __elw_h_getc(file);
        if (c == EOF)
            break;
        to[n++] = (char)c;
        if (c == '\n')
            break;
    }
    int failed = (n == 0 && size > 1) || (file->_flags & IN_ERROR && errno != EAGAIN);
    file->_flags |= old;
    __elw_writes(to, (size_t)n + !failed);
    __elw_ends();
    if (failed)
        return NULL;
    to[n] = 0;
    return to;
}

char *__elw_m_fgets(char *to, int size, FILE *file)
{
    __elw_model();
    return __elw_h_gets(to, size, file);
}

char *__elw_m___fgets_chk(char *to, size_t there, int size, FILE *file)
{
    __elw_model();
    if (size > 0 && (size_t)size > there)
        __chk_fail();
    return __elw_h_gets(to, size, file);
}

static size_t __elw_h_fread(byte *to, size_t size, size_t count, FILE *file)
{
    size_t wanted = size * count, got = 0;
    if (!wanted)
        return 0;
    if (!__elw_h_is_input(file)) {
        __elw_h_comes_back(file);
        __elw_begins();
        got = fread(to, 1, wanted, file);
        __elw_writes(to, got);
        __elw_clear(to, got);
        __elw_ends();
        return got == wanted ? count : got / size;
    }
    struct __elw_pushed *pushed = __elw_h_pushed(file);
    while (got < wanted && ((pushed && pushed->count) || file->_IO_read_ptr < file->_IO_read_end))
        to[got++] = (byte)__elw_h_getc(file);
    if (got == wanted)
        return count;
    if (file->_flags & AT_END)
        return got / size;
    __elw_h_for_stream(file);
    size_t rest = (size_t)__elw_m_read(file->_fileno, to + got, wanted - got);
    // That there was so much is a choice of the read: only the number is left to follow.
    size_t known = __elw_value(rest);
    if (known == wanted - got)
        return count;
    if ((long)known < 0) {
        file->_flags |= IN_ERROR;
        return got / size;
    }
    file->_flags |= AT_END;
    return (got + rest) / size;
}

size_t __elw_m_fread(void *to, size_t size, size_t count, FILE *file)
{
    __elw_model();
    return __elw_h_fread(to, size, count, file);
}

size_t __elw_m___fread_chk(void *to, size_t there, size_t size, size_t count, FILE *file)
{
    __elw_model();
    if (size * count > there)
        __chk_fail();
    return __elw_h_fread(to, size, count, file);
}

static ssize_t __elw_h_read_line(char **line, size_t *size, int delimiter, FILE *file)
{
    if (!*line || !*size) {
        *size = 120;
        *line = __elw_m_realloc(*line, *size);
        if (!*line)
            return -1;
    }
    size_t n = 0;
    for (;;) {
        int c = __elw_h_getc(file);
        if (c == EOF)
            break;
        if (n + 2 > *size) {
            char *larger = __elw_m_realloc(*line, *size * 2);
            if (!larger)
                return -1;
            *line = larger;
            *size *= 2;
        }
        (*line)[n++] = (char)c;
        if ((byte)c == (byte)delimiter)
            break;
    }
    if (!n)
        return -1;
    (*line)[n] = 0;
    __elw_writes(*line, n + 1);
    return (ssize_t)n;
}

static ssize_t __elw_h_getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    if (!line || !size) {
        errno = EINVAL;
        return -1;
    }
    __elw_begins();
    char *before = *line;
    __elw_reads(line, sizeof *line);
    __elw_reads(size, sizeof *size);
    ssize_t n = __elw_h_read_line(line, size, delimiter, file);
    if (*line != before) {
        __elw_writes(line, sizeof *line);
        __elw_writes(size, sizeof *size);
    }
    __elw_ends();
    return n;
}

// `getdelim` and `__getdelim`.
ssize_t __elw_m_getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    __elw_model();
    return __elw_h_getdelim(line, size, delimiter, file);
}

ssize_t __elw_m_getline(char **line, size_t *size, FILE *file)
{
    __elw_model();
    return __elw_h_getdelim(line, size, '\n', file);
}

// The position is that of the descriptor, as nothing is read ahead.
static int __elw_h_seek(FILE *file, off_t offset, int whence)
{
    if (!__elw_h_is_input(file))
        return fseeko(file, offset, whence);
    struct __elw_pushed *pushed = __elw_h_pushed(file);
    if (whence == SEEK_CUR && pushed)
        offset -= pushed->count;
    __elw_h_drop(file);
    file->_IO_read_ptr = file->_IO_read_end;
    __elw_h_for_stream(file);
    if (lseek(file->_fileno, offset, whence) < 0)
        return -1;
    file->_flags &= ~AT_END;
    return 0;
}

static off_t __elw_h_tell(FILE *file)
{
    if (!__elw_h_is_input(file))
        return ftello(file);
    struct __elw_pushed *pushed = __elw_h_pushed(file);
    __elw_h_for_stream(file);
    off_t at = lseek(file->_fileno, 0, SEEK_CUR);
    at -= file->_IO_read_end - file->_IO_read_ptr;
    return pushed ? at - pushed->count : at;
}

// `fseek`, `fseeko` and `fseeko64`.
int __elw_m_fseek(FILE *file, long offset, int whence)
{
    __elw_model();
    return __elw_h_seek(file, offset, whence);
}

// `ftell`, `ftello` and `ftello64`.
long __elw_m_ftell(FILE *file)
{
    __elw_model();
    return __elw_h_tell(file);
}

void __elw_m_rewind(FILE *file)
{
    __elw_model();
    __elw_h_seek(file, 0, SEEK_SET);
    file->_flags &= ~(AT_END | IN_ERROR);
}

// `fgetpos` and `fgetpos64`.
int __elw_m_fgetpos(FILE *file, fpos_t *position)
{
    __elw_model();
    if (!__elw_h_is_input(file)) {
        int result = fgetpos(file, position);
        __elw_clear(position, sizeof *position);
        return result;
    }
    __elw_m_memset(position, 0, sizeof *position);
    position->__pos = __elw_h_tell(file);
    return position->__pos < 0 ? -1 : 0;
}

// `fsetpos` and `fsetpos64`.
int __elw_m_fsetpos(FILE *file, const fpos_t *position)
{
    __elw_model();
    if (!__elw_h_is_input(file))
        return fsetpos(file, position);
    return __elw_h_seek(file, position->__pos, SEEK_SET);
}

int __elw_m_fclose(FILE *file)
{
    __elw_model();
    __elw_h_drop(file);
    return fclose(file);
}

// `freopen` and `freopen64`.
FILE *__elw_m_freopen(const char *path, const char *mode, FILE *file)
{
    __elw_model();
    __elw_h_drop(file);
    return freopen(path, mode, file);
}

ALSO(getc, fgetc);
ALSO(fgetc_unlocked, fgetc);
ALSO(getc_unlocked, fgetc);
ALSO(getchar_unlocked, getchar);
ALSO(fgets_unlocked, fgets);
ALSO(fread_unlocked, fread);
ALSO(fseeko, fseek);
ALSO(fseeko64, fseek);
ALSO(ftello, ftell);
ALSO(ftello64, ftell);
ALSO(fgetpos64, fgetpos);
ALSO(fsetpos64, fsetpos);
ALSO(freopen64, freopen);
