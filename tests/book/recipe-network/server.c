// A server with length-prefixed messages. The bug: a length of 0 makes `length - 1` very large.
#include <arpa/inet.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int receive(int fd, void *buffer, size_t size)
{
    size_t done = 0;

    while (done < size) {
        ssize_t n = recv(fd, (char *)buffer + done, size - done, 0);
        if (n <= 0)
            return -1;
        done += (size_t)n;
    }
    return 0;
}

// One connection: a type and a length, then so many bytes; type 'Q' ends it.
int serve(int fd)
{
    char name[32] = "";
    uint8_t type;
    uint16_t length;

    for (;;) {
        if (receive(fd, &type, 1) || receive(fd, &length, 2))
            return -1;
        length = ntohs(length);
        switch (type) {
        case 'N': /* the name, with its NUL */
            if (length > sizeof name || receive(fd, name, length))
                return -1;
            name[(uint16_t)(length - 1)] = 0;
            break;
        case 'H':
            send(fd, name, strlen(name), 0);
            break;
        case 'Q':
            return 0;
        default:
            return -1;
        }
    }
}

int main(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(7777) };
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4))
        return 1;
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        if (fd >= 0) {
            serve(fd);
            close(fd);
        }
    }
}
