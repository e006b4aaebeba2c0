// Functions that are not followed but write to memory of the program: the labels of what they
// overwrite go. Their arguments are made concrete as those of any foreign function are.
#include "models.h"
#include <dirent.h>
#include <grp.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

// `result name parameters`, of which `target` may be null and points to `size` bytes that the
// function may have written when it returns `r` with `done`.
#define CLEARS(result, name, parameters, arguments, done, target, size)                            \
    result __elw_m_##name parameters                                                               \
    {                                                                                              \
        __elw_model();                                                                             \
        if (target)                                                                                \
            __elw_begins();                                                                        \
        result r = name arguments;                                                                 \
        if ((target) && (done)) {                                                                  \
            __elw_writes((target), (size));                                                        \
            __elw_clear((target), (size));                                                         \
        }                                                                                          \
        if (target)                                                                                \
            __elw_ends();                                                                          \
        return r;                                                                                  \
    }

CLEARS(struct tm *, localtime_r, (const time_t *at, struct tm *to), (at, to), r, to, sizeof *to)
CLEARS(struct tm *, gmtime_r, (const time_t *at, struct tm *to), (at, to), r, to, sizeof *to)
CLEARS(time_t, mktime, (struct tm *to), (to), 1, to, sizeof *to)
CLEARS(time_t, timegm, (struct tm *to), (to), 1, to, sizeof *to)
CLEARS(size_t, strftime, (char *to, size_t size, const char *format, const struct tm *at),
       (to, size, format, at), r, to, r + 1)
CLEARS(char *, asctime_r, (const struct tm *at, char *to), (at, to), r, to, strlen(r) + 1)
CLEARS(char *, ctime_r, (const time_t *at, char *to), (at, to), r, to, strlen(r) + 1)
CLEARS(char *, strptime, (const char *text, const char *format, struct tm *to),
       (text, format, to), 1, to, sizeof *to)
CLEARS(char *, getcwd, (char *to, size_t size), (to, size), r, to, strlen(r) + 1)
CLEARS(int, gethostname, (char *to, size_t size), (to, size), r == 0, to, strnlen(to, size) + 1)
CLEARS(int, uname, (struct utsname *to), (to), r == 0, to, sizeof *to)
CLEARS(ssize_t, readlink, (const char *path, char *to, size_t size), (path, to, size), r > 0, to,
       (size_t)r)
CLEARS(char *, realpath, (const char *path, char *to), (path, to), r, to, strlen(r) + 1)
CLEARS(char *, strerror_r, (int code, char *to, size_t size), (code, to, size), r == to, to,
       strlen(r) + 1)
int __xpg_strerror_r(int code, char *to, size_t size);
CLEARS(int, __xpg_strerror_r, (int code, char *to, size_t size), (code, to, size), r == 0, to,
       strlen(to) + 1)
CLEARS(int, ttyname_r, (int fd, char *to, size_t size), (fd, to, size), r == 0, to, strlen(to) + 1)
CLEARS(int, getrusage, (int who, struct rusage *to), (who, to), r == 0, to, sizeof *to)
CLEARS(int, getrlimit, (int which, struct rlimit *to), (which, to), r == 0, to, sizeof *to)
CLEARS(int, statvfs, (const char *path, struct statvfs *to), (path, to), r == 0, to, sizeof *to)
CLEARS(int, fstatvfs, (int fd, struct statvfs *to), (fd, to), r == 0, to, sizeof *to)
CLEARS(int, tcgetattr, (int fd, struct termios *to), (fd, to), r == 0, to, sizeof *to)
CLEARS(int, sigemptyset, (sigset_t *to), (to), r == 0, to, sizeof *to)
CLEARS(int, sigfillset, (sigset_t *to), (to), r == 0, to, sizeof *to)
CLEARS(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), r > 0,
       status, sizeof *status)
CLEARS(pid_t, wait, (int *status), (status), r > 0, status, sizeof *status)
CLEARS(int, getgroups, (int size, gid_t *to), (size, to), r > 0 && size, to,
       (size_t)r * sizeof *to)
CLEARS(int, getsockname, (int fd, struct sockaddr *to, socklen_t *size), (fd, to, size), r == 0,
       size, sizeof *size)
CLEARS(int, mbtowc, (wchar_t *to, const char *from, size_t size), (to, from, size), r >= 0, to,
       sizeof *to)
CLEARS(size_t, mbrtowc, (wchar_t *to, const char *from, size_t size, mbstate_t *state),
       (to, from, size, state), r < (size_t)-2, to, sizeof *to)
CLEARS(size_t, mbstowcs, (wchar_t *to, const char *from, size_t size), (to, from, size),
       r != (size_t)-1, to, (r < size ? r + 1 : r) * sizeof *to)
CLEARS(size_t, wcstombs, (char *to, const wchar_t *from, size_t size), (to, from, size),
       r != (size_t)-1, to, r < size ? r + 1 : r)
CLEARS(int, wctomb, (char *to, wchar_t c), (to, c), r > 0, to, (size_t)r)
CLEARS(size_t, wcrtomb, (char *to, wchar_t c, mbstate_t *state), (to, c, state), r != (size_t)-1,
       to, r)
CLEARS(double, frexp, (double x, int *to), (x, to), 1, to, sizeof *to)
CLEARS(float, frexpf, (float x, int *to), (x, to), 1, to, sizeof *to)
CLEARS(double, modf, (double x, double *to), (x, to), 1, to, sizeof *to)
CLEARS(float, modff, (float x, float *to), (x, to), 1, to, sizeof *to)
CLEARS(int, rand_r, (unsigned *seed), (seed), 1, seed, sizeof *seed)

// What these return is the library's, and theirs again with the next call.
#define LENDS(type, name, parameters, arguments, size)                                             \
    type *__elw_m_##name parameters                                                                \
    {                                                                                              \
        __elw_model();                                                                             \
        __elw_begins();                                                                            \
        type *r = name arguments;                                                                  \
        if (r) {                                                                                   \
            __elw_writes(r, (size));                                                               \
            __elw_clear(r, (size));                                                                \
        }                                                                                          \
        __elw_ends();                                                                              \
        return r;                                                                                  \
    }
LENDS(struct tm, gmtime, (const time_t *at), (at), sizeof *r)
LENDS(struct tm, localtime, (const time_t *at), (at), sizeof *r)
LENDS(char, asctime, (const struct tm *at), (at), strlen(r) + 1)
LENDS(char, ctime, (const time_t *at), (at), strlen(r) + 1)
LENDS(struct passwd, getpwnam, (const char *name), (name), sizeof *r)
LENDS(struct passwd, getpwuid, (uid_t user), (user), sizeof *r)
LENDS(struct group, getgrnam, (const char *name), (name), sizeof *r)
LENDS(struct group, getgrgid, (gid_t group), (group), sizeof *r)
LENDS(char, ttyname, (int fd), (fd), strlen(r) + 1)
LENDS(struct dirent, readdir, (DIR *folder), (folder), r->d_reclen)

// Streams to and from memory: what goes through them is not followed.
LOSES_INPUT(FILE *, open_memstream, (char **to, size_t *size), (to, size))
LOSES_INPUT(FILE *, open_wmemstream, (wchar_t **to, size_t *size), (to, size))
LOSES_INPUT(FILE *, fmemopen, (void *memory, size_t size, const char *mode), (memory, size, mode))
LOSES_INPUT(FILE *, fopencookie,
            (void *cookie, const char *mode, cookie_io_functions_t functions),
            (cookie, mode, functions))

// What the program ends with goes to the handler as a number.
LOSES_INPUT(int, on_exit, (void (*handler)(int, void *), void *data), (handler, data))
