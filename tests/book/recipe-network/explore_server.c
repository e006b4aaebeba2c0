// Gives the server one connection, which receives the bytes of a test input.
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

int serve(int fd);

static const uint8_t *bytes;
static size_t left;

// In the place of recv: as much as there is, then the end of the connection.
ssize_t from_input(int fd, void *buffer, size_t size, int flags)
{
    size_t n = size < left ? size : left;

    (void)fd, (void)flags;
    memcpy(buffer, bytes, n);
    bytes += n;
    left -= n;
    return (ssize_t)n;
}

// In the place of send.
ssize_t to_nobody(int fd, const void *buffer, size_t size, int flags)
{
    (void)fd, (void)buffer, (void)flags;
    return (ssize_t)size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes = data;
    left = size;
    serve(0);
    return 0;
}
