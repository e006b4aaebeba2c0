/* What the uninstrumented build of a subject sees of the machine and the moment it runs on: the
 * time, numbers of processes, random bytes. While a case is replayed they are the same each time,
 * and the same as under exploration (the runtime's `clock` does the same there); otherwise they are
 * the system's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define OURS __attribute__((weak))
#define BEGIN 1767225600u
#define UPTIME 1000u
#define SECOND 1000000000ull
#define LOOK 1000000u
#define PROCESS 4194999
#define PARENT 4194998

static uint64_t elapsed;
static uint64_t sequence;
static pid_t real_process;
static int is_case;

static pid_t system_pid(void)
{
    return (pid_t)syscall(SYS_getpid);
}

__attribute__((constructor(101))) static void begin(void)
{
    real_process = system_pid();
    is_case = getenv("ELSEWISE_CASE") != NULL;
}

static uint64_t look(void)
{
    return __atomic_add_fetch(&elapsed, LOOK, __ATOMIC_RELAXED);
}

static int moment(clockid_t clock, struct timespec *to)
{
    uint64_t from, now;
    if (!is_case)
        return (int)syscall(SYS_clock_gettime, clock, to);
    switch (clock) {
    case 0: case 5: case 11:
        from = BEGIN;
        break;
    case 1: case 4: case 6: case 7:
        from = UPTIME;
        break;
    case 2: case 3:
        from = 0;
        break;
    default:
        errno = EINVAL;
        return -1;
    }
    now = look();
    to->tv_sec = (time_t)(from + now / SECOND);
    to->tv_nsec = (long)(now % SECOND);
    return 0;
}

OURS time_t time(time_t *to)
{
    struct timespec now;
    moment(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}

OURS int clock_gettime(clockid_t clock, struct timespec *to)
{
    return moment(clock, to);
}

OURS int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
    struct timespec now;
    moment(CLOCK_REALTIME, &now);
    to->tv_sec = now.tv_sec;
    to->tv_usec = now.tv_nsec / 1000;
    if (zone)
        ((int *)zone)[0] = ((int *)zone)[1] = 0;
    return 0;
}

OURS clock_t clock(void)
{
    struct timespec now;
    moment(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

OURS clock_t times(struct tms *to)
{
    clock_t ticks;
    if (!is_case)
        return syscall(SYS_times, to);
    ticks = (clock_t)(look() / (SECOND / 100));
    if (to) {
        to->tms_utime = ticks;
        to->tms_stime = to->tms_cutime = to->tms_cstime = 0;
    }
    return UPTIME * 100 + ticks;
}

static void pass(uint64_t nanos)
{
    __atomic_add_fetch(&elapsed, nanos, __ATOMIC_RELAXED);
    sched_yield();
}

static int is_time(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < (long)SECOND;
}

static uint64_t nanos(const struct timespec *time)
{
    uint64_t seconds = (uint64_t)time->tv_sec, sum;
    if (__builtin_mul_overflow(seconds, SECOND, &sum)
        || __builtin_add_overflow(sum, (uint64_t)time->tv_nsec, &sum))
        return UINT64_MAX;
    return sum;
}

static int sleep_for(const struct timespec *time, struct timespec *left)
{
    if (!is_time(time))
        return EINVAL;
    pass(nanos(time));
    if (left)
        left->tv_sec = left->tv_nsec = 0;
    return 0;
}

/* The system's, and a point at which a thread can be cancelled. */
extern int __nanosleep(const struct timespec *time, struct timespec *left);

OURS int nanosleep(const struct timespec *time, struct timespec *left)
{
    int error;
    if (!is_case)
        return __nanosleep(time, left);
    error = sleep_for(time, left);
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

OURS int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
    struct timespec *left)
{
    struct timespec now;
    if (!is_case)
        return syscall(SYS_clock_nanosleep, clock, flags, time, left) == 0 ? 0 : errno;
    if (moment(clock, &now) != 0)
        return EINVAL;
    if (!(flags & TIMER_ABSTIME))
        return sleep_for(time, left);
    if (!is_time(time))
        return EINVAL;
    pass(nanos(time) > nanos(&now) ? nanos(time) - nanos(&now) : 0);
    return 0;
}

OURS unsigned sleep(unsigned seconds)
{
    struct timespec time = { seconds, 0 }, left;
    if (is_case) {
        pass(nanos(&time));
        return 0;
    }
    if (__nanosleep(&time, &left) == 0)
        return 0;
    return (unsigned)left.tv_sec + (left.tv_nsec >= (long)SECOND / 2);
}

OURS int usleep(useconds_t micros)
{
    struct timespec time = { micros / 1000000, (long)(micros % 1000000) * 1000 };
    if (!is_case)
        return __nanosleep(&time, NULL);
    pass(nanos(&time));
    return 0;
}

static pid_t shown(pid_t real)
{
    return is_case && real == real_process ? PROCESS : real;
}

OURS pid_t getpid(void)
{
    return shown(system_pid());
}

OURS pid_t gettid(void)
{
    return shown((pid_t)syscall(SYS_gettid));
}

OURS pid_t getppid(void)
{
    if (is_case && system_pid() == real_process)
        return PARENT;
    return shown((pid_t)syscall(SYS_getppid));
}

OURS int kill(pid_t pid, int signal)
{
    if (is_case && pid == PROCESS)
        pid = real_process;
    else if (is_case && pid == -PROCESS)
        pid = -real_process;
    return (int)syscall(SYS_kill, pid, signal);
}

static uint64_t next_random(void)
{
    uint64_t z = __atomic_add_fetch(&sequence, 0x9e3779b97f4a7c15u, __ATOMIC_RELAXED);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void random_bytes(void *to, size_t size)
{
    uint64_t number = 0;
    size_t done = 0;
    if (!is_case) {
        while (done < size) {
            size_t part = size - done < 256 ? size - done : 256;
            long got = syscall(SYS_getrandom, (char *)to + done, part, 0);
            if (got > 0)
                done += (size_t)got;
        }
        return;
    }
    for (size_t i = 0; i < size; i++) {
        if (i % 8 == 0)
            number = next_random();
        ((unsigned char *)to)[i] = (unsigned char)(number >> (i % 8 * 8));
    }
}

OURS ssize_t getrandom(void *to, size_t size, unsigned flags)
{
    if (!is_case)
        return syscall(SYS_getrandom, to, size, flags);
    random_bytes(to, size);
    return (ssize_t)size;
}

OURS int getentropy(void *to, size_t size)
{
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    random_bytes(to, size);
    return 0;
}

OURS void arc4random_buf(void *to, size_t size)
{
    random_bytes(to, size);
}

OURS uint32_t arc4random(void)
{
    uint32_t word;
    random_bytes(&word, sizeof word);
    return word;
}

OURS uint32_t arc4random_uniform(uint32_t bound)
{
    uint32_t word, least;
    if (bound < 2)
        return 0;
    least = -bound % bound;
    do
        random_bytes(&word, sizeof word);
    while (word < least);
    return word % bound;
}
