/* Formatted text, streams, files and pipes. */
#include <fcntl.h>
#include <printf.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// A file that goes with the program. The system's own place for such files may be closed to it.
static FILE *border_file(void)
{
    FILE *f = fopen("border.tmp", "w+");
    remove("border.tmp");
    return f;
}

/* snprintf */
static long printed_length(long v)
{
    return snprintf(NULL, 0, "%ld,%lx", v, (unsigned long)v);
}

/* sprintf */
static size_t printed(char *s, long v)
{
    return (size_t)sprintf(s, "%+ld|%5ld|%lo", v, v % 100, (unsigned long)v & 63);
}

/* snprintf */
static size_t printed_real(char *s, long v)
{
    return (size_t)snprintf(s, 40, "%.2f", (double)v / 8);
}

/* asprintf */
static size_t allocated_text(char *s, size_t n)
{
    char *out = NULL;
    int m = asprintf(&out, "[%.3s]%zu", s, n);
    if (m < 0)
        return n;
    memcpy(s, out, (size_t)m + 1);
    free(out);
    return (size_t)m;
}

/* printf */
static long said(long v)
{
    return printf("%ld\n", v);
}

/* fprintf, dprintf */
static long said_in_other_ways(long v)
{
    int a = fprintf(stdout, "%lx", (unsigned long)v);
    fflush(stdout);
    return a * 10 + dprintf(1, "%ld\n", v);
}

/* puts, fputs, putchar */
static long said_text(char *s, size_t n)
{
    int a = puts(s) >= 0, b = fputs(s, stdout) >= 0;
    return a + b + putchar((unsigned char)s[n ? n - 1 : 0]) * 4;
}

/* sscanf */
static long scanned(char *s, size_t n)
{
    int a = -1, b = -1;
    int k = sscanf(s, "%2d %2d", &a, &b);
    (void)n;
    return k * 100000 + a * 100 + b;
}

/* sscanf */
static long scanned_set(char *s, size_t n)
{
    char word[8] = "";
    int end = -1;
    int k = sscanf(s, "%3[a-f]%n", word, &end);
    (void)n;
    return k * 1000 + end * 256 + word[0];
}

/* sscanf */
static long scanned_hex(char *s, size_t n)
{
    unsigned x = 0;
    (void)n;
    return sscanf(s, "%2x", &x) == 1 ? (long)x : -1;
}

/* fmemopen, fgetc */
static long stream_on_memory(char *s, size_t n)
{
    long r = 0;
    int c;
    FILE *f = n ? fmemopen(s, n, "r") : NULL;
    if (!f)
        return -1;
    while ((c = fgetc(f)) != EOF)
        r = r * 31 + c;
    fclose(f);
    return r & 0xffff;
}

/* fmemopen, fscanf */
static long scanned_from_memory(char *s, size_t n)
{
    int x = -7;
    FILE *f = n ? fmemopen(s, n, "r") : NULL;
    if (!f)
        return -1;
    if (fscanf(f, "%i", &x) != 1)
        x = -3;
    fclose(f);
    return x;
}

/* open_memstream, fputs, fputc */
static size_t memory_stream(char *s, size_t n)
{
    char *out = NULL;
    size_t m = 0;
    FILE *f = open_memstream(&out, &m);
    if (!f)
        return n;
    fputc('(', f);
    fputs(s, f);
    fputc(')', f);
    fclose(f);
    memcpy(s, out, m + 1);
    free(out);
    return m;
}

/* fwrite, rewind, fread */
static size_t through_a_file(char *s, size_t n)
{
    FILE *f = border_file();
    if (!f)
        return n;
    fwrite(s, 1, n, f);
    rewind(f);
    n = fread(s, 1, 60, f);
    s[n] = '\0';
    fclose(f);
    return n;
}

/* fseek, ftell */
static long length_of_file(char *s, size_t n)
{
    long r;
    FILE *f = border_file();
    if (!f)
        return -1;
    (void)n;
    fprintf(f, "%s!", s);
    fseek(f, 0, SEEK_END);
    r = ftell(f);
    fseek(f, 0, SEEK_SET);
    r = r * 256 + fgetc(f);
    fclose(f);
    return r;
}

/* ungetc */
static long pushed_back(long v)
{
    int c;
    FILE *f = border_file();
    if (!f)
        return -1;
    ungetc((int)(v & 127), f);
    c = getc(f);
    fclose(f);
    return c + 1;
}

/* fopen, fgets, remove */
static size_t through_a_named_file(char *s, size_t n)
{
    FILE *f = fopen("border.tmp", "w");
    if (!f)
        return n;
    fputs(s, f);
    fclose(f);
    f = fopen("border.tmp", "r");
    if (!f)
        return n;
    if (!fgets(s, 60, f))
        s[0] = '\0';
    fclose(f);
    remove("border.tmp");
    return strlen(s);
}

/* mkstemp, unlink, lseek */
static size_t through_a_temporary_file(char *s, size_t n)
{
    char name[] = "borderXXXXXX";
    int fd = mkstemp(name);
    ssize_t m;
    if (fd < 0)
        return n;
    unlink(name);
    if (write(fd, s, n) < 0 || lseek(fd, 0, SEEK_SET) != 0) {
        close(fd);
        return n;
    }
    m = read(fd, s, 60);
    close(fd);
    n = m > 0 ? (size_t)m : 0;
    s[n] = '\0';
    return n;
}

/* pipe, write, read */
static size_t through_a_pipe(char *s, size_t n)
{
    int fds[2];
    ssize_t m;
    if (pipe(fds) != 0)
        return n;
    m = write(fds[1], s, n);
    close(fds[1]);
    m = read(fds[0], s, 60);
    close(fds[0]);
    n = m > 0 ? (size_t)m : 0;
    s[n] = '\0';
    return n;
}

/* socketpair, send, recv */
static size_t through_a_socket(char *s, size_t n)
{
    int fds[2];
    ssize_t m;
    if (n == 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0)
        return n;
    m = send(fds[0], s, n, 0);
    m = m > 0 ? recv(fds[1], s, 60, 0) : 0;
    close(fds[0]);
    close(fds[1]);
    n = m > 0 ? (size_t)m : 0;
    s[n] = '\0';
    return n;
}

/* writev, readv */
static size_t in_two_parts(char *s, size_t n)
{
    char a[4] = "", b[64] = "";
    struct iovec out[2], in[2];
    int fds[2];
    ssize_t m;
    if (pipe(fds) != 0)
        return n;
    out[0].iov_base = (void *)"::";
    out[0].iov_len = 2;
    out[1].iov_base = s;
    out[1].iov_len = n;
    m = writev(fds[1], out, 2);
    in[0].iov_base = a;
    in[0].iov_len = 3;
    in[1].iov_base = b;
    in[1].iov_len = 60;
    m = m > 0 ? readv(fds[0], in, 2) : 0;
    close(fds[0]);
    close(fds[1]);
    memcpy(s, b, 60);
    n = m > 3 ? (size_t)m - 3 : 0;
    s[n] = '\0';
    return n;
}

/* memfd_create, pwrite, pread */
static size_t through_a_memory_file(char *s, size_t n)
{
    int fd = memfd_create("border", 0);
    ssize_t m;
    if (fd < 0)
        return n;
    m = pwrite(fd, s, n, 3);
    m = m >= 0 ? pread(fd, s, 60, 2) : 0;
    close(fd);
    n = m > 0 ? (size_t)m : 0;
    s[n] = '\0';
    return n;
}

/* mmap, munmap, ftruncate */
static size_t through_mapped_memory(char *s, size_t n)
{
    int fd = memfd_create("border", 0);
    char *p;
    if (fd < 0)
        return n;
    if (ftruncate(fd, 4096) != 0) {
        close(fd);
        return n;
    }
    p = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) {
        close(fd);
        return n;
    }
    memcpy(p, s, n);
    munmap(p, 4096);
    if (read(fd, s, n) != (ssize_t)n)
        s[0] = '!';
    close(fd);
    return n;
}

/* putw, getw */
static long word_in_a_file(long v)
{
    long r;
    FILE *f = border_file();
    if (!f)
        return -1;
    putw((int)v, f);
    rewind(f);
    r = getw(f);
    fclose(f);
    return r / 3;
}

/* fputc_unlocked, fgetc_unlocked */
static long byte_in_a_file(long v)
{
    long r;
    FILE *f = border_file();
    if (!f)
        return -1;
    fputc_unlocked((int)(v & 255), f);
    fseek(f, 0, SEEK_SET);
    r = fgetc_unlocked(f) ^ 0x55;
    fclose(f);
    return r;
}

/* getline */
static long lines_of_a_file(char *s, size_t n)
{
    char *line = NULL;
    size_t size = 0;
    long r = 0;
    ssize_t m;
    FILE *f = border_file();
    if (!f)
        return -1;
    fwrite(s, 1, n, f);
    rewind(f);
    while ((m = getline(&line, &size, f)) > 0)
        r = r * 8 + (long)m;
    free(line);
    fclose(f);
    return r;
}

/* fgetpos, fsetpos */
static long position_again(char *s, size_t n)
{
    fpos_t where;
    long r;
    FILE *f = border_file();
    if (!f)
        return -1;
    fwrite(s, 1, n, f);
    fputc('e', f);
    rewind(f);
    fgetpos(f, &where);
    r = fgetc(f);
    fsetpos(f, &where);
    r = r + 2 * fgetc(f);
    fclose(f);
    return r;
}

/* setvbuf, fflush */
static long own_buffer(char *s, size_t n)
{
    char buffer[256];
    long r;
    FILE *f = border_file();
    if (!f)
        return -1;
    memset(buffer, 0, sizeof buffer);
    setvbuf(f, buffer, _IOFBF, sizeof buffer);
    fputs(s, f);
    (void)n;
    r = buffer[0] & 255;
    fflush(f);
    fclose(f);
    return r;
}

/* popen, pclose */
static long of_a_shell(long v)
{
    char command[64], line[32] = "";
    FILE *f;
    snprintf(command, sizeof command, "echo $((%ld + 1))", v & 15);
    f = popen(command, "r");
    if (!f)
        return -1;
    if (!fgets(line, sizeof line, f))
        line[0] = '\0';
    pclose(f);
    return atoi(line);
}

/* fopencookie */
static ssize_t cookie_write(void *cookie, const char *data, size_t size)
{
    long *sum = (long *)cookie;
    size_t i;
    for (i = 0; i < size; i++)
        *sum = *sum * 3 + (data[i] & 255);
    return (ssize_t)size;
}

static long own_stream(char *s, size_t n)
{
    long sum = 0;
    cookie_io_functions_t all = {NULL, cookie_write, NULL, NULL};
    FILE *f = fopencookie(&sum, "w", all);
    if (!f)
        return -1;
    fwrite(s, 1, n, f);
    fclose(f);
    return sum & 0xffff;
}

/* parse_printf_format */
static long format_arguments(char *s, size_t n)
{
    int types[8];
    char format[80] = "%";
    (void)n;
    strcat(format, s);
    return (long)parse_printf_format(format, 8, types);
}

/* __fpending */
static long pending(char *s, size_t n)
{
    long r;
    FILE *f = border_file();
    if (!f)
        return -1;
    (void)n;
    fputs(s, f);
    r = (long)__fpending(f);
    fclose(f);
    return r;
}

/* perror */
static long complaint(char *s, size_t n)
{
    perror(s);
    return (long)n + (unsigned char)s[0];
}

/* fprintf, ftell */
static long place_after_number(long v)
{
    long r;
    FILE *f = border_file();
    if (!f)
        return -1;
    fprintf(f, "%ld", v);
    r = ftell(f);
    fclose(f);
    return r;
}

/* fputs, ftell */
static long place_after_text(char *s, size_t n)
{
    long r;
    FILE *f = border_file();
    if (!f)
        return -1;
    (void)n;
    fputs(s, f);
    r = ftell(f);
    fclose(f);
    return r;
}

/* dprintf, fstat */
static long size_after_number(long v)
{
    struct stat st;
    long r;
    int fd = memfd_create("border", 0);
    if (fd < 0)
        return -1;
    dprintf(fd, "%ld", v);
    r = fstat(fd, &st) == 0 ? (long)st.st_size : -2;
    close(fd);
    return r;
}

/* fwrite, fileno */
static long size_after_block(long v)
{
    struct stat st;
    long r;
    FILE *f = border_file();
    if (!f)
        return -1;
    fwrite("abcdefghijklmnop", 1, (size_t)(v & 15), f);
    fflush(f);
    r = fstat(fileno(f), &st) == 0 ? (long)st.st_size : -2;
    fclose(f);
    return r;
}

/* pwrite */
static long place_of_output(long v)
{
    struct stat st;
    long r;
    int fd = memfd_create("border", 0);
    if (fd < 0)
        return -1;
    pwrite(fd, "x", 1, v & 63);
    r = fstat(fd, &st) == 0 ? (long)st.st_size : -2;
    close(fd);
    return r;
}

/* writev */
static long parts_of_output(long v)
{
    struct iovec part;
    struct stat st;
    long r;
    int fd = memfd_create("border", 0);
    if (fd < 0)
        return -1;
    part.iov_base = (void *)"abcdefghijklmnop";
    part.iov_len = (size_t)(v & 15);
    if (writev(fd, &part, 1) < 0)
        part.iov_len = 0;
    r = fstat(fd, &st) == 0 ? (long)st.st_size : -2;
    close(fd);
    return r;
}
