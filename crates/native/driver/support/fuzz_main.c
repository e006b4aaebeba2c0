/* `main` for a program that has none but has libFuzzer's entry point. Explored, it is given the
 * main input; on its own it runs the harness on each file that it is given, as libFuzzer does, or
 * on its standard input.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) extern int LLVMFuzzerInitialize(int *argc, char ***argv);
/* The runtime's: runs the harness on the main input; 0 without an engine. */
__attribute__((weak)) extern int __elw_harness(int (*)(const uint8_t *, size_t));

/* Runs the harness on a file, in a block of exactly its size so that an access beyond shows. */
static int run_file(int fd, const char *name)
{
    size_t size = 0, room = 4096;
    uint8_t *bytes = malloc(room), *exact;
    for (;;) {
        ssize_t got;
        if (!bytes)
            break;
        got = read(fd, bytes + size, room - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        if (got == 0) {
            exact = malloc(size);
            if (!exact)
                break;
            memcpy(exact, bytes, size);
            free(bytes);
            LLVMFuzzerTestOneInput(exact, size);
            free(exact);
            return 0;
        }
        size += (size_t)got;
        if (size == room) {
            uint8_t *more = realloc(bytes, room *= 2);
            if (!more)
                break;
            bytes = more;
        }
    }
    fprintf(stderr, "cannot read %s: %s\n", name, strerror(errno));
    free(bytes);
    return 1;
}

int main(int argc, char **argv)
{
    int files = 0, failed = 0;
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    if (__elw_harness && __elw_harness(LLVMFuzzerTestOneInput))
        return 0;
    for (int i = 1; i < argc; i++) {
        int fd;
        /* Options of libFuzzer's. */
        if (argv[i][0] == '-')
            continue;
        files++;
        fd = open(argv[i], O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            fprintf(stderr, "cannot open %s: %s\n", argv[i], strerror(errno));
            failed = 1;
            continue;
        }
        failed |= run_file(fd, argv[i]);
        close(fd);
    }
    if (files == 0)
        failed = run_file(0, "standard input");
    return failed;
}
