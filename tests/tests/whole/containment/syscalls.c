/* Makes random system calls, with arguments that mean something, in a contained run.
 *
 * Arguments: a seed; the number of a process, the path of a file and of a folder, and a port, none of which
 * are its own; a word for files that it tries to make; and whether it changes modes, owners and times, too. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TEXTS = 24, NUMBERS = 32, CHILDREN = 40, CALLS = 400, LAST = 480 };

static uint64_t state;
static char texts[TEXTS][256];
static int text_count;
static long numbers[NUMBERS];
static int number_count;
static long addresses[64];
static int address_count;
static char buffers[8][4096];
static long *made;
static int attributes;

static uint64_t word(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static unsigned below(unsigned bound)
{
    return word() % bound;
}

/* Past the C library, and past whoever stands in its place. */
static long raw(long number, const long *arguments)
{
    long result;
    register long d __asm__("r10") = arguments[3];
    register long e __asm__("r8") = arguments[4];
    register long f __asm__("r9") = arguments[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]),
                       "r"(d), "r"(e), "r"(f)
                     : "rcx", "r11", "memory");
    return result;
}

static void text(const char *format, const char *with)
{
    if (text_count < TEXTS)
        snprintf(texts[text_count++], sizeof texts[0], format, with);
}

static void number(long value)
{
    if (number_count < NUMBERS)
        numbers[number_count++] = value;
}

/* The beginning of a file, as far as one read goes. */
static const char *beginning(const char *path)
{
    static char text[16384];
    long done = 0;
    int fd = open(path, O_RDONLY);
    if (fd >= 0) {
        done = read(fd, text, sizeof text - 1);
        close(fd);
    }
    text[done > 0 ? done : 0] = 0;
    return text;
}

/* Only where a filter is in effect that cannot be taken off: this may run as root. */
static int is_contained(void)
{
    const char *status = beginning("/proc/self/status");
    return strstr(status, "Seccomp:\t2") && strstr(status, "NoNewPrivs:\t1");
}

static long parent_of(long pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    const char *stat = strrchr(beginning(path), ')');
    return stat ? atol(stat + 4) : 0;
}

static void prepare(char **argv)
{
    const char *victim = argv[3], *folder = argv[4], *mark = argv[6];
    const long others[] = {atol(argv[2]), getppid(), parent_of(getppid()), getpid()};
    for (int i = 0; i < 4; i++) {
        number(others[i]);
        number(-others[i]);
    }
    for (int i = -1; i < 12; i++)
        number(i);
    text("%s", victim);
    text("%s", folder);
    text("%s/made", folder);
    text("/tmp/%s", mark);
    text("/var/tmp/%s", mark);
    text("/dev/shm/%s", mark);
    text("%s", "mine");
    text("%s", "here");
    text("%s", ".");
    text("%s", "../..");
    text("%s", "/dev/tty");
    text("%s", "/dev/ptmx");
    text("%s", "/proc/self/mem");
    text("%s", "/proc/self/fd");
    text("%s", "/proc/self/ns/mnt");
    text("/proc/%s/mem", argv[2]);
    text("/proc/%s/ns/user", argv[2]);
    text("/proc/%s/oom_score_adj", argv[2]);
    text("%s", "user.elsewise");
    text("%s", "");
    /* Addresses of a socket, vectors, times: whatever a call takes them for. */
    for (unsigned i = 0; i < 8; i++)
        for (unsigned at = 0; at + 8 <= sizeof buffers[0]; at += 8) {
            long value = at % 16 ? (long)below(4096) : (long)buffers[below(8)];
            memcpy(buffers[i] + at, &value, sizeof value);
        }
    struct sockaddr_in in = {AF_INET, htons(atoi(argv[5])), {htonl(INADDR_LOOPBACK)}, {0}};
    memcpy(buffers[1], &in, sizeof in);
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    snprintf(un.sun_path, sizeof un.sun_path, "%s/socket", folder);
    memcpy(buffers[2], &un, sizeof un);
    struct timespec brief = {0, 1000};
    memcpy(buffers[3], &brief, sizeof brief);
    /* What is shared with others is where it hurts. */
    for (const char *line = beginning("/proc/self/maps"); line && address_count < 64;) {
        const char *end = strchr(line, '\n');
        const char *shared = strstr(line, " rw-s ");
        if (shared && shared < end)
            addresses[address_count++] = strtol(line, NULL, 16);
        line = end ? end + 1 : NULL;
    }
    open(victim, O_RDONLY);
    open(folder, O_RDONLY | O_DIRECTORY);
    open(".", O_RDONLY | O_DIRECTORY);
    open("mine", O_RDWR | O_CREAT, 0600);
    open("/proc/self/ns/pid", O_RDONLY);
    long pid[6] = {others[0]};
    raw(SYS_pidfd_open, pid);
    int ends[2];
    if (pipe(ends) == 0)
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

static long argument(long call)
{
    static const long terminals[] = {0x5412, 0x541c, 0x540e, 0x5402, 0x5423, 0x5414, 0x4b47,
                                     0x5606, 0x540b, 0x40086602, 0x40049409, 0x8901, 0x8902};
    static const long flags[] = {O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_CREAT | O_TRUNC,
                                 O_RDWR | O_APPEND, O_PATH, O_TMPFILE | O_RDWR, 0777, 06755,
                                 S_IFCHR | 0666, S_IFBLK | 0666, S_IFIFO | 0666, 0x10000000,
                                 0x20000, 0x10000, 0x40000000, 0x2000000, 0x7e020000, 0x200, 4};
    if (call == SYS_ioctl && below(2))
        return terminals[below(sizeof terminals / sizeof terminals[0])];
    switch (below(12)) {
    case 0:
    case 1:
    case 2:
        return (long)texts[below(text_count)];
    case 3:
    case 4:
    case 5:
        return numbers[below(number_count)];
    case 6:
        return below(40);
    case 7:
        return (long)(buffers[below(8)] + 8 * below(16));
    case 8:
        return flags[below(sizeof flags / sizeof flags[0])];
    case 9:
        return address_count ? addresses[below(address_count)] : 0;
    case 10:
        return 1L << below(64);
    default:
        return (long)word();
    }
}

/* Without a read-only view of everything, these are allowed, and would change the machine. */
static int changes_attributes(long call)
{
    switch (call) {
    case SYS_chmod: case SYS_fchmod: case SYS_fchmodat: case 452:
    case SYS_chown: case SYS_fchown: case SYS_lchown: case SYS_fchownat:
    case SYS_utime: case SYS_utimes: case SYS_futimesat: case SYS_utimensat:
    case SYS_setxattr: case SYS_lsetxattr: case SYS_fsetxattr: case 463:
    case SYS_removexattr: case SYS_lremovexattr: case SYS_fremovexattr: case 466: case 469:
        return 1;
    }
    return 0;
}

/* What would only end the fun, or slow everybody down. */
static int is_dull(long call)
{
    switch (call) {
    case SYS_exit: case SYS_exit_group: case SYS_rt_sigreturn: case SYS_pause: case SYS_munmap:
    case SYS_rt_sigsuspend: case SYS_sync: case SYS_syncfs: case SYS_execve: case SYS_execveat:
    case SYS_brk: case SYS_seccomp: case SYS_mremap: case SYS_vfork: case SYS_close_range:
        return below(40) != 0;
    }
    return 0;
}

static void nothing(int signal)
{
    (void)signal;
}

/* Calls until it ends by one of them, or has made them all. */
static void play(int calls)
{
    struct sigaction action = {.sa_handler = nothing};
    sigaction(SIGALRM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    struct itimerval often = {{0, 2000}, {0, 2000}};
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < calls; i++) {
        long call = below(30) ? below(LAST) : (long)word();
        if (below(8) == 0)
            call = SYS_ioctl;
        if ((changes_attributes(call) && !attributes) || is_dull(call))
            continue;
        long arguments[6];
        for (int j = 0; j < 6; j++)
            arguments[j] = argument(call);
        __atomic_fetch_add(made, 1, __ATOMIC_RELAXED);
        if (below(2))
            raw(call, arguments);
        else
            syscall(call, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                    arguments[5]);
    }
}

static void child(void)
{
    /* Nobody is to see these calls before the system does. */
    if (below(2)) {
        const long off[6] = {59, 0, 0, 0, 0, 0};
        raw(SYS_prctl, off);
    }
    play(CALLS);
    _exit(0);
}

static void attempt(char **argv, int which)
{
    if (!is_contained()) {
        puts("not contained");
        exit(9);
    }
    state = strtoull(argv[1], NULL, 10) * 1000 + which;
    attributes = argv[7][0] == 'y';
    prepare(argv);
    made = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < CHILDREN; i++) {
        word();
        pid_t pid = fork();
        if (pid == 0) {
            state ^= i * 0x100000001b3u;
            child();
        }
        const struct timespec while_ = {0, 2000000};
        const long wait[6] = {(long)&while_};
        int status;
        for (int j = 0; j < 20 && waitpid(pid, &status, WNOHANG) == 0; j++)
            raw(SYS_nanosleep, wait);
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
    }
    printf("made %ld calls\n", *made);
    fflush(stdout);
    play(CALLS / 4);
}

int main(int argc, char **argv)
{
    unsigned char c;
    if (argc < 8 || read(0, &c, 1) != 1)
        return 1;
    for (int i = 0; i < 4; i++)
        if (c == 'a' + i)
            attempt(argv, i);
    return 0;
}
