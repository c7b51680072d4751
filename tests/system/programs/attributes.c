// What is set of processes and what is shown of them: limits, priorities, titles. Prints a line for each part, and what
// is wrong.
#include "check.h"
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

// The first argument, and how many bytes all of them have with their NULs.
static char *first_argument;
static size_t arguments_room;

static void limits(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct rlimit few = {5, 5};
        setrlimit(RLIMIT_NOFILE, &few);
        pid_t second = fork();
        if (second == 0) {
            struct rlimit told;
            getrlimit(RLIMIT_NOFILE, &told);
            _exit(told.rlim_cur);
        }
        _exit(exit_of(second));
    }
    CHECK(exit_of(child) == 5);
    struct rlimit told;
    CHECK(getrlimit(RLIMIT_NOFILE, &told) == 0 && told.rlim_cur > 5);
    child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_NPROC, &none);
        if (setuid(65534) != 0)
            _exit(0);
        _exit(fork() == -1 && errno == EAGAIN ? 0 : 1);
    }
    CHECK(exit_of(child) == 0);
    child = fork();
    if (child == 0) {
        if (setuid(65534) != 0)
            _exit(0);
        _exit(kill(getppid(), 0) == -1 && errno == EPERM ? 0 : 1);
    }
    CHECK(exit_of(child) == 0);
}

// Of other processes: by number, group and user, and who may change them.
static void priorities(void)
{
    CHECK(syscall(SYS_sched_getscheduler, getppid()) == 0 || getppid() == 0);
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        setpgid(0, 0);
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) == 0 ? getpriority(PRIO_PROCESS, 0) : 100);
    }
    setpgid(child, child);
    CHECK(setpriority(PRIO_PROCESS, child, 3) == 0 && getpriority(PRIO_PROCESS, child) == 3);
    CHECK(getpriority(PRIO_PROCESS, 0) == 0);
    CHECK(setpriority(PRIO_PGRP, child, 4) == 0 && getpriority(PRIO_PGRP, child) == 4);
    CHECK(getpriority(PRIO_PGRP, 0) == 0 && getpriority(PRIO_USER, 0) <= 0);
    cpu_set_t set;
    CHECK(sched_getaffinity(child, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0);
    pid_t other = fork();
    if (other == 0) {
        if (setuid(65534) != 0)
            _exit(0);
        int refused = setpriority(PRIO_PROCESS, child, 5) == -1 && errno == EPERM;
        struct sched_param none = {0};
        refused &= syscall(SYS_sched_setscheduler, child, SCHED_BATCH, &none) == -1 && errno == EPERM;
        _exit(refused && getpriority(PRIO_PROCESS, child) == 4 ? 0 : 1);
    }
    CHECK(exit_of(other) == 0);
    close(ends[1]);
    CHECK(exit_of(child) == 4);
    close(ends[0]);
    errno = 0;
    CHECK(getpriority(PRIO_PROCESS, child) == -1 && errno == ESRCH);
    CHECK(getpriority(PRIO_PGRP, child) == -1 && errno == ESRCH);
}

// How many bytes the last text was.
static ssize_t shown_bytes;

// What /proc shows of a process, as text.
static const char *shown(pid_t process, const char *file)
{
    static char text[8192];
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/%s", process, file);
    int descriptor = open(name, O_RDONLY);
    ssize_t count = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    text[count < 0 ? 0 : count] = 0;
    shown_bytes = count;
    return text;
}

// Titles: programs write them over their arguments, and one that is longer over the environment behind them.
static void titles(void)
{
    size_t room = arguments_room;
    pid_t child = fork();
    if (child == 0) {
        memset(first_argument, 0, room);
        memcpy(first_argument, "ab", 2);
        raise(SIGSTOP);
        memset(first_argument, 't', room + 3);
        first_argument[room + 3] = 0;
        raise(SIGSTOP);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    CHECK(strcmp(shown(child, "cmdline"), "ab") == 0 && shown_bytes == (ssize_t)room);
    CHECK(strcmp(shown(getpid(), "cmdline"), first_argument) == 0 && shown_bytes == (ssize_t)room);
    kill(child, SIGCONT);
    CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    const char *title = shown(child, "cmdline");
    CHECK(strspn(title, "t") == room + 3 && shown_bytes == (ssize_t)room + 4);
    CHECK(strcmp(shown(child, "environ"), "ttt") == 0);
    CHECK(strncmp(shown(getpid(), "environ"), "ttt", 3) != 0);
    kill(child, SIGCONT);
    siginfo_t ended;
    CHECK(waitid(P_PID, child, &ended, WEXITED | WNOWAIT) == 0);
    CHECK(strcmp(shown(child, "cmdline"), "") == 0 && shown_bytes == 0);
    CHECK(exit_of(child) == 0);
}

int main(int count, char **arguments)
{
    first_argument = arguments[0];
    arguments_room = arguments[count - 1] + strlen(arguments[count - 1]) + 1 - first_argument;
    part("limits", limits);
    part("priorities", priorities);
    part("titles", titles);
    return wrong != 0;
}
