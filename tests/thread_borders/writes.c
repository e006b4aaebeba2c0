// Functions of the C library write to memory of the program while another thread reads it: each marked line is part of a
// data race.
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static struct {
    int scanned, counted, exponent, pair[2], sign;
    char line[8], block[8], copied[8], swapped[8], parts[8], random[8], printed[8], day[32], *made, *end, *rest, *last;
    wchar_t *wide_end;
    size_t room;
    char *read;
    double whole;
    struct timespec now;
    struct timeval of_day;
    struct tms times;
    struct stat stat;
    struct tm parsed;
    struct utsname system;
    sigset_t set;
    time_t time;
    void *aligned;
    unsigned seed;
} shared;

static char tokens[] = "a b c";

static void *writes(void *unused)
{
    (void)unused;
    FILE *file = fopen("text", "w+");
    assert(file);
    fputs("12 words\nand more\n", file);
    rewind(file);
    sscanf("7", "%d", &shared.scanned); // races
    fgets(shared.line, sizeof shared.line, file); // races
    fread(shared.block, 1, 4, file); // races
    getline(&shared.read, &shared.room, file); // races
    rewind(file);
    fscanf(file, "%d", &shared.counted); // races
    memccpy(shared.copied, "abc", 'b', 3); // races
    swab("ab", shared.swapped, 2); // races
    snprintf(shared.printed, sizeof shared.printed, "%d", 77); // races
    (void)!asprintf(&shared.made, "%d", 77); // races
    strtol("12x", &shared.end, 10); // races
    strtok_r(tokens, " ", &shared.rest); // races
    strsep(&shared.last, " "); // races
    wcstol(L"12x", &shared.wide_end, 10); // races
    (void)!getrandom(shared.random, 4, 0); // races
    frexp(3.5, &shared.exponent); // races
    modf(3.5, &shared.whole); // races
    clock_gettime(CLOCK_REALTIME, &shared.now); // races
    gettimeofday(&shared.of_day, NULL); // races
    time(&shared.time); // races
    times(&shared.times); // races
    stat("text", &shared.stat); // races
    strptime("2020", "%Y", &shared.parsed); // races
    strftime(shared.day, sizeof shared.day, "%d", &(struct tm){.tm_mday = 7}); // races
    uname(&shared.system); // races
    sigemptyset(&shared.set); // races
    (void)!pipe(shared.pair); // races
    (void)!posix_memalign(&shared.aligned, 16, 16); // races
    rand_r(&shared.seed); // races
    (void)!pread(fileno(file), shared.parts, 4, 0); // races
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char copy[sizeof shared];
    shared.last = tokens + 2;
    pthread_create(&thread, NULL, writes, NULL);
#ifdef REPAIRED
    pthread_join(thread, NULL);
#endif
    memcpy(copy, &shared, sizeof copy);
#ifndef REPAIRED
    pthread_join(thread, NULL);
#endif
    return copy[0] == 1;
}
