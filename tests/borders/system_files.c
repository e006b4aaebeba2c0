/* What the system keeps for a program: files, pipes, processes and memory that come back. */
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

/* access */
static long is_there(char *s, size_t n)
{
    (void)n;
    return access(s, F_OK);
}

/* stat */
static long is_directory(char *s, size_t n)
{
    struct stat st;
    (void)n;
    return stat(s, &st) == 0 ? S_ISDIR(st.st_mode) + 1 : 0;
}

/* symlink, readlink */
static size_t through_a_link(char *s, size_t n)
{
    char out[64];
    ssize_t m;
    unlink("border.link");
    if (symlink(s, "border.link") != 0)
        return n;
    m = readlink("border.link", out, 60);
    unlink("border.link");
    if (m < 0)
        return 0;
    memcpy(s, out, (size_t)m);
    s[m] = '\0';
    return (size_t)m;
}

/* mkdir, opendir, readdir, rmdir */
static long name_in_a_directory(char *s, size_t n)
{
    char path[96] = "border.dir/";
    long r = 0;
    DIR *dir;
    struct dirent *one;
    (void)n;
    strcat(path, s);
    if (strchr(s, '/') || s[0] == '.' || s[0] == '\0')
        return -1;
    mkdir("border.dir", 0700);
    mkdir(path, 0700);
    dir = opendir("border.dir");
    while (dir && (one = readdir(dir)) != NULL)
        if (one->d_name[0] != '.')
            r += one->d_name[0] & 255;
    if (dir)
        closedir(dir);
    rmdir(path);
    rmdir("border.dir");
    return r;
}

/* rename */
static long renamed(char *s, size_t n)
{
    char name[80] = "border.";
    FILE *f = fopen("border.before", "w");
    long r;
    (void)n;
    if (!f || strchr(s, '/'))
        r = -1;
    else {
        strcat(name, s);
        r = rename("border.before", name) == 0 && access("border.7", F_OK) == 0;
        unlink(name);
    }
    if (f)
        fclose(f);
    unlink("border.before");
    return r;
}

/* fork, _exit, waitpid */
static long status_of_a_child(long v)
{
    int status = 0;
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0)
        _exit((int)(v & 0x7f));
    if (waitpid(child, &status, 0) != child)
        return -2;
    return WIFEXITED(status) ? WEXITSTATUS(status) + 1 : -3;
}

/* system */
static long status_of_a_shell(long v)
{
    char command[64];
    int status;
    snprintf(command, sizeof command, "exit %ld", v & 7);
    status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* fnmatch */
static long pattern(char *s, size_t n)
{
    (void)n;
    return (fnmatch("[a-d]*", s, 0) == 0) + 2 * (fnmatch("?7", s, 0) == 0);
}

/* fnmatch */
static long pattern_of_input(char *s, size_t n)
{
    (void)n;
    return fnmatch(s, "k", 0) == 0;
}

/* glob, globfree */
static long matching_files(char *s, size_t n)
{
    glob_t all;
    long r = -1;
    char path[96] = "/dev/nul";
    (void)n;
    if (strchr(s, '*') || strchr(s, '/'))
        return -2;
    strcat(path, s);
    memset(&all, 0, sizeof all);
    if (glob(path, 0, NULL, &all) == 0)
        r = (long)all.gl_pathc;
    globfree(&all);
    return r;
}

/* wordexp, wordfree */
static long expanded(char *s, size_t n)
{
    wordexp_t all;
    long r;
    (void)n;
    if (strpbrk(s, "~*?[`$"))
        return -2;
    memset(&all, 0, sizeof all);
    r = wordexp(s, &all, WRDE_NOCMD);
    if (r != 0)
        return r + 100;
    r = (long)all.we_wordc;
    wordfree(&all);
    return r;
}

/* confstr, sysconf */
static long asked_of_the_system(long v)
{
    char out[64] = "";
    long r = (long)confstr(_CS_PATH, out, (size_t)(v & 15));
    return r + (long)strlen(out) + (sysconf(v % 2 ? _SC_VERSION : _SC_PAGESIZE) > 4096);
}

/* isatty */
static long is_terminal(long v)
{
    errno = 0;
    return isatty((int)(v & 255) + 300) + errno * (v % 2 == 0);
}

/* atexit */
static long border_exit_value;
static void at_the_end(void)
{
    if (border_exit_value == -99999)
        puts("end");
}

static long told_at_exit(long v)
{
    border_exit_value = v;
    return atexit(at_the_end) + v % 17;
}

/* mprotect */
static long protection(long v)
{
    char *p = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long r;
    if (p == (char *)MAP_FAILED)
        return -1;
    p[0] = (char)v;
    mprotect(p, 4096, PROT_READ);
    r = p[0];
    munmap(p, 4096);
    return r;
}

/* pthread_attr_setstacksize, pthread_attr_getstacksize */
static long attribute_of_a_thread(long v)
{
    pthread_attr_t attr;
    size_t size = 0;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 65536 + (size_t)(v & 0xff) * 4096);
    pthread_attr_getstacksize(&attr, &size);
    pthread_attr_destroy(&attr);
    return (long)(size / 4096);
}

/* pthread_mutexattr_settype, pthread_mutexattr_gettype */
static long kind_of_a_lock(long v)
{
    pthread_mutexattr_t attr;
    int kind = 0;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, (int)(v % 3 == 1));
    pthread_mutexattr_gettype(&attr, &kind);
    pthread_mutexattr_destroy(&attr);
    return kind;
}

/* sigaction, sigqueue */
static volatile sig_atomic_t border_value;
static void on_value(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    border_value = info->si_value.sival_int;
}

static long value_of_a_signal(long v)
{
    struct sigaction action;
    union sigval value;
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = on_value;
    sigaction(SIGUSR1, &action, NULL);
    border_value = -1;
    value.sival_ptr = NULL;
    value.sival_int = (int)v;
    sigqueue(getpid(), SIGUSR1, value);
    signal(SIGUSR1, SIG_DFL);
    return border_value;
}

/* setitimer, getitimer */
static long interval_timer(long v)
{
    struct itimerval timer, now;
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = 1000;
    timer.it_interval.tv_sec = v & 0xff;
    setitimer(ITIMER_REAL, &timer, NULL);
    getitimer(ITIMER_REAL, &now);
    memset(&timer, 0, sizeof timer);
    setitimer(ITIMER_REAL, &timer, NULL);
    return (long)now.it_interval.tv_sec;
}

/* sigaltstack */
static long stack_of_signals(long v)
{
    static char memory[65536];
    stack_t stack, before;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = memory;
    stack.ss_size = 32768 + (size_t)(v & 0xff);
    sigaltstack(&stack, NULL);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, &before);
    return (long)before.ss_size - 32768;
}

/* shmget, shmat, shmdt, shmctl */
static long memory_of_system_v(long v)
{
    int id = shmget(IPC_PRIVATE, 4096, 0600);
    char *a, *b;
    long r;
    if (id < 0)
        return -1;
    a = (char *)shmat(id, NULL, 0);
    b = (char *)shmat(id, NULL, 0);
    shmctl(id, IPC_RMID, NULL);
    if (a == (char *)-1 || b == (char *)-1)
        return -2;
    a[0] = (char)v;
    r = b[0];
    shmdt(a);
    shmdt(b);
    return r;
}

/* mmap */
static long memory_twice(long v)
{
    int fd = memfd_create("border", 0);
    char *a, *b;
    long r;
    if (fd < 0 || ftruncate(fd, 4096) != 0)
        return -1;
    a = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    b = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (a == (char *)MAP_FAILED || b == (char *)MAP_FAILED)
        return -2;
    a[9] = (char)v;
    r = b[9];
    munmap(a, 4096);
    munmap(b, 4096);
    return r;
}

/* getpid, getpgid */
static long group_of_itself(long v)
{
    return v % 7 == 3 ? getpgid(getpid()) > 0 : 2;
}
