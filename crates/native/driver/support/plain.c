/* What the uninstrumented build of a subject links in place of the runtime: inputs come from the
 * files of a case, assumptions and assertions do what they say and no more.
 *
 * Uses nothing but system calls and memory of its own, so that it changes the program's behaviour
 * as little as possible.
 */
#include "plain.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As in the runtime: names are cut to fit the trace. */
#define NAME_MAX_BYTES 47
/* How many names can occur more than once. */
#define NAMES 1024

static struct {
    char name[NAME_MAX_BYTES + 1];
    /* Occurrences so far, and one. */
    unsigned seen;
} names[NAMES];

/* The key of an input, as the engine writes it: bytes that a file name cannot hold become %xx. */
static void write_key(char *out, const char *name, unsigned occurrence)
{
    static const char hex[] = "0123456789abcdef";
    if (*name == 0)
        *out++ = '%';
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '_' || c == '-';
        if (plain) {
            *out++ = (char)c;
        } else {
            *out++ = '%';
            *out++ = hex[c >> 4];
            *out++ = hex[c & 15];
        }
    }
    if (occurrence > 0)
        sprintf(out, ".%u", occurrence);
    else
        *out = 0;
}

/* Is this the key of an input that the run has from its start? */
static unsigned is_given(const char *key)
{
    size_t length = strlen(key);
    const char *at = getenv("ELSEWISE_GIVEN");
    if (!at)
        at = "stdin";
    for (;; at++) {
        if (strncmp(at, key, length) == 0 && (at[length] == ',' || at[length] == 0))
            return 1;
        at = strchr(at, ',');
        if (!at)
            return 0;
    }
}

static unsigned occurrence_of(const char *name)
{
    char key[3 * NAME_MAX_BYTES + 16];
    for (int i = 0; i < NAMES; i++) {
        if (names[i].seen == 0) {
            memcpy(names[i].name, name, NAME_MAX_BYTES + 1);
            write_key(key, name, 0);
            names[i].seen = 1 + is_given(key);
        }
        if (memcmp(names[i].name, name, NAME_MAX_BYTES + 1) == 0)
            return names[i].seen++ - 1;
    }
    return 0;
}

void elsewise_input(void *p, size_t size, const char *name)
{
    char cut[NAME_MAX_BYTES + 1] = {0};
    char key[3 * NAME_MAX_BYTES + 16];

    if (name)
        strncpy(cut, name, NAME_MAX_BYTES);
    write_key(key, cut, occurrence_of(cut));
    elsewise_plain_read(p, size, key, 0);
}

void elsewise_plain_read_named(void *p, size_t size, const char *name, size_t from)
{
    char cut[NAME_MAX_BYTES + 1] = {0};
    char key[3 * NAME_MAX_BYTES + 16];

    strncpy(cut, name, NAME_MAX_BYTES);
    write_key(key, cut, 0);
    elsewise_plain_read(p, size, key, from);
}

void elsewise_plain_read(void *p, size_t size, const char *key, size_t from)
{
    char path[PATH_MAX];
    const char *directory = getenv("ELSEWISE_CASE");
    size_t done = 0;
    int fd;

    memset(p, 0, size);
    if (!directory)
        return;
    if (snprintf(path, sizeof path, "%s/%s", directory, key) >= (int)sizeof path)
        return;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    while (done < size) {
        ssize_t got = pread(fd, (char *)p + done, size - done, (off_t)(from + done));
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    close(fd);
}

void elsewise_plain_asked(const char *type, const void *value, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *bytes = value;
    const char *path = getenv("ELSEWISE_ASKED");
    char line[64];
    size_t length;
    int fd;

    if (!path)
        return;
    length = (size_t)snprintf(line, sizeof line, "%.24s ", type);
    for (size_t i = 0; i < size && i < 16; i++) {
        line[length++] = hex[bytes[i] >> 4];
        line[length++] = hex[bytes[i] & 15];
    }
    line[length++] = '\n';
    fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0)
        return;
    if (write(fd, line, length) < 0)
        _exit(78);
    close(fd);
}

const char *elsewise_plain_observed(void)
{
    return getenv("ELSEWISE_OBSERVED");
}

/* Who comes between is only seen under exploration. */
void elsewise_atomic_begin(void)
{
}

void elsewise_atomic_end(void)
{
}

void elsewise_assume(int cond)
{
    const char *mark;
    if (cond)
        return;
    /* The exit code alone could be the program's own. */
    mark = getenv("ELSEWISE_ASSUMED");
    if (mark) {
        int fd = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        if (fd >= 0)
            close(fd);
    }
    _exit(77);
}

__attribute__((noreturn)) void elsewise_fail(const char *text, const char *file, int line)
{
    char message[1024];
    int length = snprintf(message, sizeof message, "%s:%d: assertion failed: %s\n", file, line,
        text);
    if (length > (int)sizeof message - 1)
        length = (int)sizeof message - 1;
    if (length > 0 && write(2, message, (size_t)length) < 0)
        abort();
    abort();
}
