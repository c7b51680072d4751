// Job control as Linux has it (tty_ioctl(2), "Job control" of POSIX), on the terminal that is standard input: what
// happens to processes in the background, to orphaned groups, and to those that lose the terminal. Prints a line for
// each part, and what is wrong. With "keys" as argument: what keys that are typed do.
#include "check.h"
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>

// What a process in the background does: its answer is 0, or the error's number.
typedef int act(void);

static int reads(void)
{
    char byte;
    return read(0, &byte, 1) < 0 ? errno : 0;
}

static int writes(void) { return write(1, ".", 1) < 0 ? errno : 0; }

static int changes(void)
{
    struct termios attributes;
    return tcgetattr(0, &attributes) < 0 || tcsetattr(0, TCSANOW, &attributes) < 0 ? errno : 0;
}

static int drops_input(void) { return tcflush(0, TCIFLUSH) < 0 ? errno : 0; }

static int drains(void) { return tcsendbreak(0, 0) < 0 ? errno : 0; }

static int takes_foreground(void) { return tcsetpgrp(0, getpgrp()) < 0 ? errno : 0; }

static int stops(void) { return raise(SIGTSTP) == 0 ? 0 : errno; }

static int opens(void) { return open("/dev/tty", O_RDWR) < 0 ? errno : 0; }

static int asks_for_group(void) { return tcgetpgrp(0) < 0 ? errno : 0; }

static int takes_terminal(void) { return ioctl(0, TIOCSCTTY, 0) < 0 ? errno : 0; }

enum how { PLAIN, IGNORES, BLOCKS };

static void prepare(int signal_number, enum how how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    if (how == IGNORES)
        signal(signal_number, SIG_IGN);
    if (how == BLOCKS)
        sigprocmask(SIG_BLOCK, &set, NULL);
}

// The status of a child in a group of its own, in the background, that does something: stopped, or ended with the
// answer. One that is stopped is ended.
static int background(act *does, int signal_number, enum how how)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        prepare(signal_number, how);
        _exit(does());
    }
    waitpid(child, &status, WUNTRACED);
    if (WIFSTOPPED(status)) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    return status;
}

// The answer of a process in a group that nobody could continue: its parent, of the same group, has ended. -1 if it
// stops.
static int orphan(act *does)
{
    int ends[2], begin[2], answer = -1;
    if (pipe(ends) < 0 || pipe(begin) < 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        pid_t second = fork();
        if (second == 0) {
            char byte;
            close(begin[1]);
            // Until the parent has ended.
            while (read(begin[0], &byte, 1) > 0) {}
            answer = does();
            _exit(write(ends[1], &answer, sizeof answer) < 0);
        }
        _exit(0);
    }
    waitpid(child, NULL, 0);
    close(begin[0]), close(begin[1]), close(ends[1]);
    if (read(ends[0], &answer, sizeof answer) != sizeof answer)
        answer = -1;
    close(ends[0]);
    return answer;
}

#define STOPPED(status, by) (WIFSTOPPED(status) && WSTOPSIG(status) == (by))
#define ANSWERED(status, answer) (WIFEXITED(status) && WEXITSTATUS(status) == (answer))

static void reading(void)
{
    CHECK(STOPPED(background(reads, SIGTTIN, PLAIN), SIGTTIN));
    CHECK(ANSWERED(background(reads, SIGTTIN, IGNORES), EIO));
    CHECK(ANSWERED(background(reads, SIGTTIN, BLOCKS), EIO));
    CHECK(orphan(reads) == EIO);
}

static void set_local(tcflag_t flag, int on)
{
    struct termios attributes;
    CHECK(tcgetattr(0, &attributes) == 0);
    attributes.c_lflag = on ? attributes.c_lflag | flag : attributes.c_lflag & ~flag;
    CHECK(tcsetattr(0, TCSANOW, &attributes) == 0);
}

static void writing(void)
{
    CHECK(ANSWERED(background(writes, SIGTTOU, PLAIN), 0));
    CHECK(orphan(writes) == 0);
    set_local(TOSTOP, 1);
    CHECK(STOPPED(background(writes, SIGTTOU, PLAIN), SIGTTOU));
    CHECK(ANSWERED(background(writes, SIGTTOU, IGNORES), 0));
    CHECK(ANSWERED(background(writes, SIGTTOU, BLOCKS), 0));
    CHECK(orphan(writes) == EIO);
    CHECK(writes() == 0);
    set_local(TOSTOP, 0);
    CHECK(ANSWERED(background(writes, SIGTTOU, PLAIN), 0));
    printf("\n");
}

static void changing(void)
{
    act *const all[] = {changes, drops_input, drains, takes_foreground};
    for (size_t index = 0; index < sizeof all / sizeof *all; index++)
        CHECK(STOPPED(background(all[index], SIGTTOU, PLAIN), SIGTTOU));
    CHECK(ANSWERED(background(changes, SIGTTOU, IGNORES), 0));
    CHECK(ANSWERED(background(changes, SIGTTOU, BLOCKS), 0));
    CHECK(orphan(changes) == EIO && orphan(drops_input) == EIO);
    CHECK(orphan(takes_foreground) == ENOTTY);
    CHECK(tcsetpgrp(0, 999999) == -1 && errno == ESRCH);
    CHECK(tcsetpgrp(0, -1) == -1 && errno == EINVAL);
}

static void foreground(void)
{
    pid_t before = tcgetpgrp(0);
    CHECK(before == getpgrp() && tcgetsid(0) == getsid(0));
    CHECK(ANSWERED(background(takes_foreground, SIGTTOU, IGNORES), 0));
    // The child is gone, and this is the background now.
    CHECK(tcgetpgrp(0) != before);
    signal(SIGTTOU, SIG_IGN);
    CHECK(tcsetpgrp(0, before) == 0 && tcgetpgrp(0) == before);
    signal(SIGTTOU, SIG_DFL);
}

static int told = -1;

static void tell(int signal_number)
{
    char byte = (char)signal_number;
    if (write(told, &byte, 1) < 0)
        _exit(1);
}

static void orphans(void)
{
    int ends[2];
    CHECK(orphan(stops) == 0);
    CHECK(STOPPED(background(stops, 0, PLAIN), SIGTSTP));
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        int status;
        pid_t second = fork();
        if (second == 0) {
            setpgid(0, 0);
            told = ends[1];
            struct sigaction action = {.sa_handler = tell};
            sigfillset(&action.sa_mask);
            sigaction(SIGHUP, &action, NULL), sigaction(SIGCONT, &action, NULL);
            raise(SIGSTOP);
            _exit(0);
        }
        waitpid(second, &status, WUNTRACED);
        _exit(WIFSTOPPED(status) ? 0 : 1);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && ANSWERED(status, 0));
    close(ends[1]);
    char bytes[2] = "";
    CHECK(read(ends[0], &bytes[0], 1) == 1 && read(ends[0], &bytes[1], 1) == 1);
    CHECK(bytes[0] == SIGHUP && bytes[1] == SIGCONT);
    close(ends[0]);
}

static volatile sig_atomic_t count;
static siginfo_t last;

static void note(int signal_number, siginfo_t *information, void *context)
{
    (void)signal_number, (void)context;
    last = *information;
    count++;
}

static void telling(void)
{
    siginfo_t found;
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &old);
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
    sigaction(SIGCHLD, &action, NULL);
    count = 0;
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    kill(child, SIGSTOP);
    while (count < 1)
        sigsuspend(&old);
    CHECK(last.si_code == CLD_STOPPED && last.si_status == SIGSTOP && last.si_pid == child);
    CHECK(waitid(P_PID, child, &found, WSTOPPED | WNOWAIT) == 0 && found.si_code == CLD_STOPPED);
    CHECK(waitid(P_PID, child, &found, WSTOPPED) == 0 && found.si_status == SIGSTOP);
    CHECK(waitid(P_PID, child, &found, WSTOPPED | WNOHANG) == 0 && found.si_pid == 0);
    kill(child, SIGCONT);
    while (count < 2)
        sigsuspend(&old);
    CHECK(last.si_code == CLD_CONTINUED && last.si_status == SIGCONT && last.si_pid == child);
    CHECK(waitid(P_PID, child, &found, WCONTINUED) == 0 && found.si_code == CLD_CONTINUED);
    action.sa_flags |= SA_NOCLDSTOP;
    sigaction(SIGCHLD, &action, NULL);
    kill(child, SIGSTOP);
    CHECK(waitid(P_PID, child, &found, WSTOPPED) == 0 && found.si_code == CLD_STOPPED);
    kill(child, SIGCONT);
    CHECK(waitid(P_PID, child, &found, WCONTINUED) == 0 && found.si_code == CLD_CONTINUED);
    CHECK(sigpending(&set) == 0 && !sigismember(&set, SIGCHLD) && count == 2);
    kill(child, SIGKILL);
    CHECK(waitid(P_PID, child, &found, WEXITED) == 0 && found.si_code == CLD_KILLED);
    sigprocmask(SIG_SETMASK, &old, NULL);
    signal(SIGCHLD, SIG_DFL);
}

// What a child answers behind setsid(2) or TIOCNOTTY.
static int without(int session, act *does)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        if ((session ? setsid() : ioctl(0, TIOCNOTTY)) < 0)
            _exit(99);
        // Another process, for it is inherited.
        pid_t second = session ? 0 : fork();
        if (second == 0)
            _exit(does());
        waitpid(second, &status, 0);
        _exit(WEXITSTATUS(status));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void no_terminal(void)
{
    CHECK(opens() == 0);
    for (int session = 0; session < 2; session++) {
        CHECK(without(session, opens) == ENXIO);
        CHECK(without(session, asks_for_group) == ENOTTY);
        CHECK(without(session, takes_foreground) == ENOTTY);
        // Who has no part in job control is not stopped.
        CHECK(without(session, changes) == 0);
    }
    CHECK(without(1, takes_terminal) == EPERM);
    CHECK(takes_terminal() == (getsid(0) == getpid() ? 0 : EPERM));
}

// A session takes the terminal away, and its leader ends: who is in the foreground is told.
static void stolen(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        if (setsid() < 0 || ioctl(0, TIOCSCTTY, 1) < 0 || tcgetpgrp(0) != getpid() || opens() != 0)
            _exit(1);
        pid_t second = fork();
        if (second == 0) {
            setpgid(0, 0);
            signal(SIGTTOU, SIG_IGN);
            tcsetpgrp(0, getpgrp());
            told = ends[1];
            // It may come before this waits for it.
            sigset_t hangup, old;
            sigemptyset(&hangup);
            sigaddset(&hangup, SIGHUP);
            sigprocmask(SIG_BLOCK, &hangup, &old);
            signal(SIGHUP, tell);
            tell(1 + tcgetsid(0) - getsid(0));
            sigsuspend(&old);
            _exit(0);
        }
        char byte;
        if (read(ends[0], &byte, 1) != 1 || byte != 1)
            _exit(2);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && ANSWERED(status, 0));
    char byte = 0;
    CHECK(read(ends[0], &byte, 1) == 1 && byte == SIGHUP);
    CHECK(opens() == ENXIO && asks_for_group() == ENOTTY);
}

static volatile sig_atomic_t caught;

static void catch(int signal_number) { caught = signal_number; }

static void await(int signal_number)
{
    sigset_t set, old;
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, &old);
    while (caught != signal_number)
        sigsuspend(&old);
    sigprocmask(SIG_SETMASK, &old, NULL);
    caught = 0;
}

// What was typed before a key that sends a signal is gone, unless NOFLSH is set. Ctrl-Z is caught, then ignored.
static void keys(void)
{
    char line[80];
    const char *const names[] = {"flushed", "kept"};
    signal(SIGINT, catch), signal(SIGTSTP, catch);
    for (int turn = 0; turn < 2; turn++) {
        set_local(NOFLSH, turn);
        printf("%s?\n", names[turn]);
        await(SIGINT);
        printf("interrupted\n");
        ssize_t length = read(0, line, sizeof line);
        printf("read %.*s", length > 0 ? (int)length : 0, line);
    }
    printf("suspend?\n");
    await(SIGTSTP);
    signal(SIGTSTP, SIG_IGN);
    printf("again?\n");
    ssize_t length = read(0, line, sizeof line);
    printf("at last %.*s", length > 0 ? (int)length : 0, line);
    set_local(NOFLSH, 0);
}

static const struct part {
    const char *name;
    void (*run)(void);
} parts[] = {
    {"reading", reading}, {"writing", writing}, {"changing", changing}, {"foreground", foreground}, {"orphans", orphans},
    {"telling", telling}, {"no_terminal", no_terminal}, {"stolen", stolen},
};

int main(int argument_count, char **arguments)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    if (argument_count > 1 && strcmp(arguments[1], "keys") == 0) {
        keys();
        return wrong != 0;
    }
    for (size_t index = 0; index < sizeof parts / sizeof *parts; index++) {
        int before = wrong;
        parts[index].run();
        printf("%s: %s\n", parts[index].name, wrong == before ? "ok" : "wrong");
    }
    printf("all parts\n");
    return wrong != 0;
}
