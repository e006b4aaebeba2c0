// Functions of the C library read memory of the program while another thread writes it: each marked line is part of a
// data race.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdarg.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static struct {
    char put[8], put_to[8], block[8], printed[8], bounded[8], listed[8], number[8], scanned[8], found[8], searched[8];
    char name[8], old[8], new[8], variable[8], value[8], part[8], address[8], path[8], described[8];
    time_t time;
    struct tm parts;
} shared;

static void list(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments); // races
    va_end(arguments);
}

static void *reads(void *unused)
{
    (void)unused;
    char text[64];
    int number = 0;
    puts(shared.put); // races
    fputs(shared.put_to, stdout); // races
    fwrite(shared.block, 1, 4, stdout); // races
    printf("%d %s\n", 7, shared.printed); // races
    printf("%.*s\n", 2, shared.bounded); // races
    list("%f %d %s\n", 1.5, 7, shared.listed);
    number += atoi(shared.number); // races
    sscanf(shared.scanned, "%d", &number); // races
    number += memchr(shared.found, 'x', 4) != NULL; // races
    number += strspn(shared.searched, "abc"); // races
    number += access(shared.name, F_OK); // races
    rename(shared.old, shared.new); // races
    setenv(shared.variable, "x", 1); // races
    setenv("V", shared.value, 1); // races
    struct iovec part = {shared.part, 4};
    (void)!writev(1, &part, 1); // races
    number += inet_addr(shared.address); // races
    mkdir(shared.path, 0700); // races
    number += open(shared.described, O_RDONLY); // races
    gmtime_r(&shared.time, &(struct tm){0}); // races
    strftime(text, sizeof text, "%d", &shared.parts); // races
    return (void *)(long)number;
}

int main(void)
{
    pthread_t thread;
    memset(&shared, '1', sizeof shared);
    for (char *at = shared.put; at < (char *)&shared.time; at += 8)
        at[7] = 0;
    shared.parts = (struct tm){.tm_mday = 7};
    shared.time = 7;
    pthread_create(&thread, NULL, reads, NULL);
#ifdef REPAIRED
    pthread_join(thread, NULL);
#endif
    memset(&shared, '1', sizeof shared);
#ifndef REPAIRED
    pthread_join(thread, NULL);
#endif
    return 0;
}
