/* What the system or the library keeps for a program: numbers and names that come back. */
/* Link: -lm */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

/* setenv, getenv, unsetenv */
static size_t environment(char *s, size_t n)
{
    char *value;
    if (setenv("BORDER_KEPT", s, 1) != 0)
        return n;
    value = getenv("BORDER_KEPT");
    n = value ? strlen(value) : 0;
    if (value)
        memmove(s, value, n + 1);
    unsetenv("BORDER_KEPT");
    return n;
}

/* putenv */
static long own_environment(char *s, size_t n)
{
    static char text[96];
    char *value;
    long r;
    (void)n;
    strcpy(text, "BORDER_PUT=");
    strcat(text, s);
    if (putenv(text) != 0)
        return -1;
    value = getenv("BORDER_PUT");
    r = value ? value[0] & 255 : -2;
    unsetenv("BORDER_PUT");
    return r;
}

/* umask */
static long mask_of_files(long v)
{
    mode_t before = umask((mode_t)v & 0777);
    return (long)umask(before);
}

/* fchmod, fstat */
static long mode_of_a_file(long v)
{
    struct stat st;
    long r = -1;
    int fd = memfd_create("border", 0);
    if (fd < 0)
        return -2;
    if (fchmod(fd, (mode_t)v & 0777) == 0 && fstat(fd, &st) == 0)
        r = (long)(st.st_mode & 0777);
    close(fd);
    return r;
}

/* ftruncate, fstat */
static long size_of_a_file(long v)
{
    struct stat st;
    long r = -1;
    int fd = memfd_create("border", 0);
    if (fd < 0)
        return -2;
    if (ftruncate(fd, v & 0xfff) == 0 && fstat(fd, &st) == 0)
        r = (long)st.st_size + 1;
    close(fd);
    return r;
}

/* lseek */
static long place_in_a_file(long v)
{
    long r;
    int fd = memfd_create("border", 0);
    if (fd < 0)
        return -2;
    lseek(fd, v & 0xffff, SEEK_SET);
    r = (long)lseek(fd, 3, SEEK_CUR);
    close(fd);
    return r;
}

/* fcntl */
static long lowest_descriptor(long v)
{
    int fd = fcntl(0, F_DUPFD, (int)(v & 31) + 40);
    if (fd < 0)
        return -1;
    close(fd);
    return fd;
}

/* dup2 */
static long chosen_descriptor(long v)
{
    int fd = dup2(2, (int)(v & 15) + 50);
    if (fd >= 0)
        close(fd);
    return fd;
}

/* eventfd */
static long counter(long v)
{
    unsigned long long x = 0;
    int fd = eventfd((unsigned)(v & 0xff), EFD_NONBLOCK);
    if (fd < 0)
        return -1;
    if (read(fd, &x, sizeof x) != (ssize_t)sizeof x)
        x = 999;
    close(fd);
    return (long)x;
}

/* poll */
static long readable(long v)
{
    int fds[2];
    struct pollfd one;
    long r;
    if (pipe(fds) != 0)
        return -1;
    if (v % 11 == 4 && write(fds[1], "x", 1) != 1)
        r = -2;
    one.fd = fds[0];
    one.events = POLLIN;
    one.revents = 0;
    r = poll(&one, 1, 0);
    close(fds[0]);
    close(fds[1]);
    return r;
}

/* ioctl */
static long waiting_bytes(char *s, size_t n)
{
    int fds[2], k = -1;
    if (pipe(fds) != 0)
        return -1;
    if (write(fds[1], s, strlen(s)) < 0 || ioctl(fds[0], FIONREAD, &k) != 0)
        k = -2;
    (void)n;
    close(fds[0]);
    close(fds[1]);
    return k;
}

/* prctl */
static long name_of_the_process(char *s, size_t n)
{
    char name[17] = "", before[17] = "";
    (void)n;
    prctl(PR_GET_NAME, before);
    prctl(PR_SET_NAME, s);
    prctl(PR_GET_NAME, name);
    prctl(PR_SET_NAME, before);
    return (name[0] & 255) + 256 * (long)strlen(name);
}

/* pthread_setname_np, pthread_getname_np */
static long name_of_the_thread(char *s, size_t n)
{
    char name[17] = "", before[17] = "";
    (void)n;
    s[15] = '\0';
    pthread_getname_np(pthread_self(), before, sizeof before);
    pthread_setname_np(pthread_self(), s);
    pthread_getname_np(pthread_self(), name, sizeof name);
    pthread_setname_np(pthread_self(), before);
    return name[0] & 255;
}

/* pthread_key_create, pthread_setspecific, pthread_getspecific */
static long of_the_thread(char *s, size_t n)
{
    pthread_key_t key;
    long r;
    if (pthread_key_create(&key, NULL) != 0)
        return -1;
    pthread_setspecific(key, s + (n > 1));
    r = *(unsigned char *)pthread_getspecific(key);
    pthread_key_delete(key);
    return r;
}

/* setrlimit, getrlimit */
static long limit(long v)
{
    struct rlimit before, now;
    if (getrlimit(RLIMIT_MSGQUEUE, &before) != 0)
        return -1;
    now = before;
    now.rlim_cur = (rlim_t)(v & 0xff);
    if (now.rlim_cur > before.rlim_max)
        return -2;
    if (setrlimit(RLIMIT_MSGQUEUE, &now) != 0 || getrlimit(RLIMIT_MSGQUEUE, &now) != 0)
        return -3;
    setrlimit(RLIMIT_MSGQUEUE, &before);
    return (long)now.rlim_cur;
}

/* alarm */
static long alarm_clock(long v)
{
    alarm((unsigned)(v & 0xff) + 100);
    return (long)alarm(0);
}

/* srand, rand */
static long pseudo_random(long v)
{
    srand((unsigned)v & 0xff);
    return rand() % 1000;
}

/* rand_r */
static long pseudo_random_state(long v)
{
    unsigned seed = (unsigned)v;
    return rand_r(&seed) % 500;
}

/* srandom, random */
static long better_random(long v)
{
    srandom((unsigned)v & 0xff);
    return random() % 1000;
}

/* srand48, lrand48 */
static long random_48(long v)
{
    srand48(v & 0xff);
    return lrand48() & 0xff;
}

/* nrand48 */
static long random_from_memory(char *s, size_t n)
{
    unsigned short x[3];
    memset(x, 0, sizeof x);
    memcpy(x, s, n < 6 ? n : 6);
    return nrand48(x) & 0xff;
}

/* signal, raise */
static volatile sig_atomic_t border_signal;
static void on_signal(int number)
{
    border_signal = number;
}

static long raised(long v)
{
    int number = v % 5 == 2 ? SIGUSR1 : SIGUSR2;
    border_signal = 0;
    signal(SIGUSR1, on_signal);
    signal(SIGUSR2, SIG_IGN);
    raise(number);
    signal(SIGUSR1, SIG_DFL);
    signal(SIGUSR2, SIG_DFL);
    return border_signal;
}

/* sigaddset, sigismember */
static long set_of_signals(long v)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, (int)(v & 15) + 1);
    return sigismember(&set, 7) + 2 * sigismember(&set, 3);
}

/* setjmp, longjmp */
static long jumped(long v)
{
    static jmp_buf place;
    int r = setjmp(place);
    if (r != 0)
        return r + 1;
    longjmp(place, (int)(v & 0xff));
}

/* fesetround, fegetround */
static long rounding(long v)
{
    volatile double x = 2.5, y;
    int before = fegetround();
    fesetround(v % 3 == 0 ? FE_UPWARD : v % 3 == 1 ? FE_DOWNWARD : FE_TONEAREST);
    y = x + 1e-20;
    fesetround(before);
    return y > 2.5;
}

/* feraiseexcept, fetestexcept, feclearexcept */
static long floating_exceptions(long v)
{
    int r;
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept((int)(v & FE_ALL_EXCEPT));
    r = fetestexcept(FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    return r;
}
