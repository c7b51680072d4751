// What the programs that print a line for each part share: a check that fails is printed and counted, and the part
// goes on. To be included first.
#pragma once
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// How many checks have failed.
static int wrong;

// What is wrong is on its way before a child is made, which would say it once more.
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s (errno %d)\n", __LINE__, #condition, errno); \
            fflush(stdout); \
            wrong++; \
        } \
    } while (0)

// Runs a part, and says so if nothing was wrong.
static inline void part(const char *name, void (*test)(void))
{
    int before = wrong;
    test();
    if (wrong == before)
        printf("%s: ok\n", name);
    fflush(stdout);
}

// The status that a child exits with, whatever signal tells of its end; -1 if it ends otherwise.
static inline int exit_of(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, __WALL) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
