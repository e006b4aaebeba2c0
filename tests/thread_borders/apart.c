// Functions of the C library touch no more than they say: nothing here is part of a data race.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct {
    struct stat stat;
    char behind_stat;
    struct timespec now;
    char behind_now;
    int scanned, behind_scanned;
    char number[8], printed[8], line[16], copied[8];
    struct pollfd poll;
    char *end, read[8], piped[8];
    int pipe[2];
} shared = {.number = "12,xyz", .printed = "abcdefg"};

static int file;

static void *one(void *unused)
{
    (void)unused;
    stat(".", &shared.stat);
    clock_gettime(CLOCK_REALTIME, &shared.now);
    sscanf("7 8", "%d", &shared.scanned);
    strtol(shared.number, &shared.end, 10);
    printf("%.2s\n", shared.printed);
    memccpy(shared.copied, "abcdef", 'c', 6);
    snprintf(shared.line, sizeof shared.line, "%d", 77);
    (void)!pread(file, shared.read, sizeof shared.read, 0);
    (void)!read(shared.pipe[0], shared.piped, sizeof shared.piped);
    shared.poll.fd = 1;
    poll(&shared.poll, 1, 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    file = open("short", O_RDWR | O_CREAT | O_TRUNC, 0600);
    (void)!write(file, "abc", 3);
    (void)!pipe(shared.pipe);
    (void)!write(shared.pipe[1], "abc", 3);
    pthread_create(&thread, NULL, one, NULL);
    shared.behind_stat = 1;
    shared.behind_now = 1;
    shared.behind_scanned = 1;
    shared.number[3] = 'X';
    shared.printed[2] = 'X';
    shared.copied[3] = 'X';
    shared.line[3] = 'X';
    shared.read[3] = 'X';
    shared.piped[3] = 'X';
    pthread_join(thread, NULL);
    return 0;
}
