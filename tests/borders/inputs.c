/* Ways by which a C program is given its input. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static size_t border_take(char *s, size_t most, const char *from, size_t n)
{
    if (n > most)
        n = most;
    memcpy(s, from, n);
    s[n] = '\0';
    return n;
}

/* stdin: read */
static size_t by_read(char *s, size_t most, char **argv)
{
    ssize_t n = read(0, s, most);
    (void)argv;
    return n > 0 ? (size_t)n : 0;
}

/* stdin: read */
static size_t by_single_reads(char *s, size_t most, char **argv)
{
    size_t n = 0;
    (void)argv;
    while (n < most && read(STDIN_FILENO, s + n, 1) == 1)
        n++;
    return n;
}

/* stdin: fread */
static size_t by_fread(char *s, size_t most, char **argv)
{
    (void)argv;
    return fread(s, 1, most, stdin);
}

/* stdin: fread_unlocked */
static size_t by_fread_unlocked(char *s, size_t most, char **argv)
{
    (void)argv;
    return fread_unlocked(s, 1, most, stdin);
}

/* stdin: getchar */
static size_t by_getchar(char *s, size_t most, char **argv)
{
    size_t n = 0;
    int c;
    (void)argv;
    while (n < most && (c = getchar()) != EOF)
        s[n++] = (char)c;
    return n;
}

/* stdin: fgetc, feof */
static size_t by_fgetc(char *s, size_t most, char **argv)
{
    size_t n = 0;
    (void)argv;
    while (n < most) {
        int c = fgetc(stdin);
        if (feof(stdin))
            break;
        s[n++] = (char)c;
    }
    return n;
}

/* stdin: getc, ungetc */
static size_t by_getc(char *s, size_t most, char **argv)
{
    size_t n = 0;
    int c = getc(stdin);
    (void)argv;
    if (c != EOF)
        ungetc(c, stdin);
    while (n < most && (c = getc(stdin)) != EOF)
        s[n++] = (char)c;
    return n;
}

/* stdin: getc_unlocked, getchar_unlocked */
static size_t by_getc_unlocked(char *s, size_t most, char **argv)
{
    size_t n = 0;
    int c;
    (void)argv;
    while (n < most && (c = n % 2 ? getchar_unlocked() : getc_unlocked(stdin)) != EOF)
        s[n++] = (char)c;
    return n;
}

/* stdin: fgets */
static size_t by_fgets(char *s, size_t most, char **argv)
{
    (void)argv;
    if (!fgets(s, (int)most + 1, stdin))
        s[0] = '\0';
    return strlen(s);
}

/* stdin: getline */
static size_t by_getline(char *s, size_t most, char **argv)
{
    char *line = NULL;
    size_t size = 0, n = 0;
    ssize_t m = getline(&line, &size, stdin);
    (void)argv;
    if (m > 0)
        n = border_take(s, most, line, (size_t)m);
    free(line);
    return n;
}

/* stdin: getdelim */
static size_t by_getdelim(char *s, size_t most, char **argv)
{
    char *line = NULL;
    size_t size = 0, n = 0;
    ssize_t m = getdelim(&line, &size, ';', stdin);
    (void)argv;
    if (m > 0)
        n = border_take(s, most, line, (size_t)m);
    free(line);
    return n;
}

/* stdin: scanf */
static size_t by_scanf(char *s, size_t most, char **argv)
{
    char word[32];
    (void)argv;
    if (scanf("%16s", word) != 1)
        return 0;
    return border_take(s, most, word, strlen(word));
}

/* stdin: scanf */
static size_t by_scanf_characters(char *s, size_t most, char **argv)
{
    size_t n = 0;
    (void)argv;
    while (n < most && scanf("%c", s + n) == 1)
        n++;
    return n;
}

/* stdin: readv */
static size_t by_readv(char *s, size_t most, char **argv)
{
    struct iovec parts[2];
    ssize_t n;
    (void)argv;
    parts[0].iov_base = s;
    parts[0].iov_len = 1;
    parts[1].iov_base = s + 1;
    parts[1].iov_len = most - 1;
    n = readv(0, parts, 2);
    return n > 0 ? (size_t)n : 0;
}

/* stdin: pread */
static size_t by_pread(char *s, size_t most, char **argv)
{
    ssize_t n = pread(0, s, most, 0);
    (void)argv;
    return n > 0 ? (size_t)n : 0;
}

/* stdin: mmap */
static size_t by_mmap(char *s, size_t most, char **argv)
{
    struct stat st;
    size_t n = 0;
    (void)argv;
    if (fstat(0, &st) == 0 && st.st_size > 0) {
        char *p = (char *)mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, 0, 0);
        if (p != (char *)MAP_FAILED) {
            n = border_take(s, most, p, (size_t)st.st_size);
            munmap(p, (size_t)st.st_size);
        }
    }
    return n;
}

/* stdin: dup, fdopen */
static size_t by_fdopen(char *s, size_t most, char **argv)
{
    FILE *f = fdopen(dup(0), "r");
    size_t n = f ? fread(s, 1, most, f) : 0;
    (void)argv;
    if (f)
        fclose(f);
    return n;
}

/* stdin: poll */
static size_t by_poll(char *s, size_t most, char **argv)
{
    struct pollfd one;
    ssize_t n = 0;
    (void)argv;
    one.fd = 0;
    one.events = POLLIN;
    if (poll(&one, 1, 1000) == 1)
        n = read(0, s, most);
    return n > 0 ? (size_t)n : 0;
}

/* stdin: getwchar */
static size_t by_getwchar(char *s, size_t most, char **argv)
{
    size_t n = 0;
    wint_t c;
    (void)argv;
    while (n < most && (c = getwchar()) != WEOF)
        s[n++] = (char)c;
    return n;
}

/* stdin: setvbuf */
static size_t by_unbuffered(char *s, size_t most, char **argv)
{
    size_t n = 0;
    int c;
    (void)argv;
    setvbuf(stdin, NULL, _IONBF, 0);
    while (n < most && (c = getc(stdin)) != EOF)
        s[n++] = (char)c;
    return n;
}

/* file: open, close */
static size_t by_open(char *s, size_t most, char **argv)
{
    int fd = open(argv[1], O_RDONLY);
    ssize_t n = fd >= 0 ? read(fd, s, most) : 0;
    if (fd >= 0)
        close(fd);
    return n > 0 ? (size_t)n : 0;
}

/* file: fopen, fclose */
static size_t by_fopen(char *s, size_t most, char **argv)
{
    FILE *f = fopen(argv[1], "rb");
    size_t n = f ? fread(s, 1, most, f) : 0;
    if (f)
        fclose(f);
    return n;
}

/* file: fseek, ftell */
static size_t by_length_of_file(char *s, size_t most, char **argv)
{
    FILE *f = fopen(argv[1], "rb");
    long n;
    if (!f)
        return 0;
    fseek(f, 0, SEEK_END);
    n = ftell(f);
    rewind(f);
    if (n > (long)most)
        n = (long)most;
    n = (long)fread(s, 1, (size_t)n, f);
    fclose(f);
    return (size_t)n;
}

/* file: fscanf */
static size_t by_fscanf(char *s, size_t most, char **argv)
{
    FILE *f = fopen(argv[1], "r");
    char word[32] = "";
    if (!f)
        return 0;
    if (fscanf(f, "%16[^\n]", word) != 1)
        word[0] = '\0';
    fclose(f);
    return border_take(s, most, word, strlen(word));
}

/* file: fgets */
static size_t by_lines_of_file(char *s, size_t most, char **argv)
{
    FILE *f = fopen(argv[1], "r");
    if (!f)
        return 0;
    if (!fgets(s, (int)most + 1, f))
        s[0] = '\0';
    fclose(f);
    return strlen(s);
}

/* file: stat, mmap */
static size_t by_mapped_file(char *s, size_t most, char **argv)
{
    struct stat st;
    size_t n = 0;
    int fd = open(argv[1], O_RDONLY);
    if (fd >= 0 && stat(argv[1], &st) == 0 && st.st_size > 0) {
        char *p = (char *)mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (p != (char *)MAP_FAILED)
            n = border_take(s, most, p, (size_t)st.st_size);
    }
    if (fd >= 0)
        close(fd);
    return n;
}

/* file: freopen */
static size_t by_freopen(char *s, size_t most, char **argv)
{
    if (!freopen(argv[1], "r", stdin))
        return 0;
    return fread(s, 1, most, stdin);
}

/* file: lseek */
static size_t by_lseek(char *s, size_t most, char **argv)
{
    int fd = open(argv[1], O_RDONLY);
    ssize_t n = 0;
    if (fd >= 0) {
        off_t size = lseek(fd, 0, SEEK_END);
        n = pread(fd, s, size < (off_t)most ? (size_t)size : most, 0);
        close(fd);
    }
    return n > 0 ? (size_t)n : 0;
}

/* argument: strlen */
static size_t by_argument(char *s, size_t most, char **argv)
{
    return border_take(s, most, argv[1], strlen(argv[1]));
}

/* argument: strncpy */
static size_t by_copied_argument(char *s, size_t most, char **argv)
{
    strncpy(s, argv[1], most);
    return strlen(s);
}

/* argument: snprintf */
static size_t by_printed_argument(char *s, size_t most, char **argv)
{
    snprintf(s, most + 1, "%s", argv[1]);
    return strlen(s);
}

/* variable: getenv */
static size_t by_variable(char *s, size_t most, char **argv)
{
    const char *value = getenv("BORDER_INPUT");
    (void)argv;
    return value ? border_take(s, most, value, strlen(value)) : 0;
}

/* variable: secure_getenv */
static size_t by_safe_variable(char *s, size_t most, char **argv)
{
    const char *value = secure_getenv("BORDER_INPUT");
    (void)argv;
    return value ? border_take(s, most, value, strlen(value)) : 0;
}

/* variable: strncmp */
static size_t by_environment(char *s, size_t most, char **argv)
{
    char **one;
    (void)argv;
    for (one = environ; *one; one++)
        if (strncmp(*one, "BORDER_INPUT=", 13) == 0)
            return border_take(s, most, *one + 13, strlen(*one + 13));
    return 0;
}
