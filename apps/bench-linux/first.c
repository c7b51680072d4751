/*
 * A program's first output: `first FOLDER PROGRAM ...` starts PROGRAM with FOLDER as its root and prints the counter's
 * value before its start and at the first byte. Of a guest that was started with the counter at 0, that is everything up
 * to there.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "operations.h"

int first_output(const char *folder, char **program)
{
    int ends[2], status;
    char byte;
    if (pipe(ends) != 0)
        return 2;
    uint64_t start = ticks();
    pid_t child = fork();
    if (child == 0) {
        if (chroot(folder) != 0 || chdir("/") != 0 || dup2(ends[1], STDOUT_FILENO) < 0)
            _exit(126);
        close(ends[0]);
        close(ends[1]);
        execv(program[0], program);
        _exit(127);
    }
    close(ends[1]);
    long count = read(ends[0], &byte, 1);
    uint64_t output = ticks();
    while (read(ends[0], &byte, 1) > 0)
        ;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0 || count != 1) {
        printf("first-output missing status\n");
        return 1;
    }
    printf("program-start %llu\n", (unsigned long long)start);
    printf("first-output %llu\n", (unsigned long long)output);
    return 0;
}
