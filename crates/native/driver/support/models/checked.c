// What `_FORTIFY_SOURCE` makes of functions that are given a buffer: they are told how much room there is.
#include "models.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

void __chk_fail(void) __attribute__((noreturn));
int __elw_m_poll(struct pollfd *list, nfds_t count, int time);
ssize_t __elw_m_recv(int fd, void *to, size_t size, int flags);
ssize_t __elw_m_readlink(const char *path, char *to, size_t size);
char *__elw_m_getcwd(char *to, size_t size);
char *__elw_m_realpath(const char *path, char *to);

// `result name`, of which `wanted` must not be more than `there`, is what the model of `plain` does.
#define CHECKED(result, name, parameters, wanted, there, call)                                     \
    result __elw_m_##name parameters                                                               \
    {                                                                                              \
        __elw_model();                                                                             \
        if ((wanted) > (there))                                                                    \
            __chk_fail();                                                                          \
        return call;                                                                               \
    }

CHECKED(ssize_t, __read_chk, (int fd, void *to, size_t size, size_t room), size, room,
        __elw_m_read(fd, to, size))
CHECKED(ssize_t, __pread_chk, (int fd, void *to, size_t size, off_t at, size_t room), size, room,
        pread(fd, to, size, at))
CHECKED(ssize_t, __recv_chk, (int fd, void *to, size_t size, size_t room, int flags), size, room,
        __elw_m_recv(fd, to, size, flags))
CHECKED(ssize_t, __readlink_chk, (const char *path, char *to, size_t size, size_t room), size, room,
        __elw_m_readlink(path, to, size))
CHECKED(char *, __getcwd_chk, (char *to, size_t size, size_t room), size, room,
        __elw_m_getcwd(to, size))
CHECKED(char *, __realpath_chk, (const char *path, char *to, size_t room), (size_t)PATH_MAX, room,
        __elw_m_realpath(path, to))
CHECKED(int, __poll_chk, (struct pollfd *list, nfds_t count, int time, size_t room), count,
        room / sizeof *list, __elw_m_poll(list, count, time))
CHECKED(long, __fdelt_chk, (long fd), (unsigned long)fd, 1023ul, fd / 64)

// Without a file to be made, these need no rights.
CHECKED(int, __open_2, (const char *path, int flags), flags &O_CREAT, 0, open(path, flags))
CHECKED(int, __openat_2, (int folder, const char *path, int flags), flags &O_CREAT, 0,
        openat(folder, path, flags))

ALSO(__pread64_chk, __pread_chk);
ALSO(__fdelt_warn, __fdelt_chk);
ALSO(__open64_2, __open_2);
ALSO(__openat64_2, __openat_2);
