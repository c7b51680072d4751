// signal.c: sending, blocking, waiting for and handling signals (signal(7)).
#include "check.h"

#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <ucontext.h>

static volatile int order[16], handled;
static volatile siginfo_t last; // volatile: the compiler believes that kill(2) calls nobody back
static sigset_t inside;
static volatile int misaligned;

static void note(int signal, siginfo_t *information, void *state) {
    (void)state;
    if ((uintptr_t)__builtin_frame_address(0) % 16) misaligned = 1;
    order[handled++ % 16] = signal;
    last = *information;
    sigprocmask(SIG_SETMASK, NULL, &inside);
}

static void block(int how, int signal) {
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, signal);
    sigprocmask(how, &set, NULL);
}

static int is_blocked(int signal) {
    sigset_t set;
    sigprocmask(SIG_SETMASK, NULL, &set);
    return sigismember(&set, signal);
}

static int is_pending(int signal) {
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, signal);
}

static const char *sending(void) {
    handled = 0;
    handle(SIGUSR1, note, 0);
    REQUIRE(raise(SIGUSR1) == 0 && handled == 1 && order[0] == SIGUSR1);
    REQUIRE(last.si_signo == SIGUSR1 && last.si_code == SI_TKILL && last.si_pid == getpid());
    REQUIRE(kill(getpid(), SIGUSR1) == 0 && handled == 2 && last.si_code == SI_USER && last.si_uid == getuid());
    union sigval value = {.sival_int = 1234};
    REQUIRE(sigqueue(getpid(), SIGUSR1, value) == 0 && handled == 3);
    REQUIRE(last.si_code == SI_QUEUE && last.si_value.sival_int == 1234);
    REQUIRE(kill(getpid(), 0) == 0 && handled == 3);
    REQUIRE_ERROR(kill(getpid(), 65), EINVAL);
    REQUIRE_ERROR(kill(0x3ffffff, 0), ESRCH);
    REQUIRE(!misaligned);
    return NULL;
}

static const char *blocking(void) {
    handled = 0;
    handle(SIGUSR1, note, 0);
    block(SIG_BLOCK, SIGUSR1);
    REQUIRE(raise(SIGUSR1) == 0 && raise(SIGUSR1) == 0 && handled == 0 && is_pending(SIGUSR1));
    block(SIG_UNBLOCK, SIGUSR1);
    REQUIRE(handled == 1 && !is_pending(SIGUSR1));
    // Inside the handler its own signal is blocked, outside no longer.
    REQUIRE(sigismember(&inside, SIGUSR1) && !is_blocked(SIGUSR1));
    handle(SIGUSR1, note, SA_NODEFER);
    REQUIRE(raise(SIGUSR1) == 0 && handled == 2 && !sigismember(&inside, SIGUSR1));
    // SIGKILL and SIGSTOP cannot be blocked or handled.
    block(SIG_BLOCK, SIGKILL);
    REQUIRE(!is_blocked(SIGKILL));
    struct sigaction action = {.sa_handler = SIG_IGN};
    REQUIRE_ERROR(sigaction(SIGKILL, &action, NULL), EINVAL);
    return NULL;
}

static const char *queueing(void) {
    // Real-time signals queue, and the lowest number comes first.
    handled = 0;
    int low = SIGRTMIN + 1, high = SIGRTMIN + 2;
    handle(low, note, 0), handle(high, note, 0);
    block(SIG_BLOCK, low), block(SIG_BLOCK, high);
    union sigval value = {.sival_int = 1};
    REQUIRE(sigqueue(getpid(), high, value) == 0 && sigqueue(getpid(), low, value) == 0);
    REQUIRE(sigqueue(getpid(), low, value) == 0);
    sigset_t set;
    sigprocmask(SIG_SETMASK, NULL, &set);
    sigdelset(&set, low), sigdelset(&set, high);
    sigprocmask(SIG_SETMASK, &set, NULL);
    REQUIRE(handled == 3);
    signal(low, SIG_DFL), signal(high, SIG_DFL);
    return NULL;
}

static void nest(int signal, siginfo_t *information, void *state) {
    if (signal == SIGUSR1) raise(SIGUSR2);
    note(signal, information, state);
}

static const char *nesting(void) {
    handled = 0;
    handle(SIGUSR1, nest, 0), handle(SIGUSR2, nest, 0);
    REQUIRE(raise(SIGUSR1) == 0 && handled == 2 && order[0] == SIGUSR2 && order[1] == SIGUSR1);
    struct sigaction action = {.sa_sigaction = nest, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask), sigaddset(&action.sa_mask, SIGUSR2);
    handled = 0;
    REQUIRE(sigaction(SIGUSR1, &action, NULL) == 0 && raise(SIGUSR1) == 0);
    REQUIRE(handled == 2 && order[0] == SIGUSR1 && order[1] == SIGUSR2);
    struct sigaction old;
    REQUIRE(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_sigaction == nest && sigismember(&old.sa_mask, SIGUSR2));
    REQUIRE((old.sa_flags & ~0x04000000) == SA_SIGINFO); // SA_RESTORER is the C library's
    return NULL;
}

static const char *resetting(void) {
    handled = 0;
    handle(SIGUSR1, note, SA_RESETHAND);
    struct sigaction old;
    REQUIRE(raise(SIGUSR1) == 0 && handled == 1 && sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
    signal(SIGUSR1, SIG_IGN);
    REQUIRE(raise(SIGUSR1) == 0 && handled == 1);
    signal(SIGUSR1, SIG_DFL);
    REQUIRE(raise(SIGCHLD) == 0 && raise(SIGURG) == 0 && raise(SIGWINCH) == 0); // ignored by default
    return NULL;
}

static const char *interrupting(void) {
    int ends[2];
    char byte;
    handled = 0;
    REQUIRE(pipe(ends) == 0);
    handle(SIGALRM, note, 0);
    tick(5000);
    REQUIRE_ERROR(read(ends[0], &byte, 1), EINTR);
    struct pollfd wanted = {ends[0], POLLIN, 0};
    REQUIRE_ERROR(poll(&wanted, 1, -1), EINTR);
    REQUIRE_ERROR(pause(), EINTR);
    tick(0);
    REQUIRE(handled >= 3);
    return close(ends[0]) == 0 && close(ends[1]) == 0 ? NULL : "close";
}

static int feed;

static void write_byte(int signal, siginfo_t *information, void *state) {
    note(signal, information, state);
    if (handled == 3 && write(feed, "x", 1) != 1) misaligned = 1;
}

static const char *restarting(void) {
    // With SA_RESTART the read goes on after two signals; the third one's handler gives it something.
    int ends[2];
    char byte = 0;
    handled = 0;
    REQUIRE(pipe(ends) == 0);
    feed = ends[1];
    handle(SIGALRM, write_byte, SA_RESTART);
    tick(5000);
    REQUIRE(read(ends[0], &byte, 1) == 1 && byte == 'x' && handled >= 3);
    tick(0);
    return close(ends[0]) == 0 && close(ends[1]) == 0 ? NULL : "close";
}

static const char *waiting(void) {
    sigset_t set, none;
    siginfo_t information;
    struct timespec instant = {0, 1000000};
    sigemptyset(&none), sigemptyset(&set), sigaddset(&set, SIGUSR2);
    handled = 0;
    handle(SIGUSR2, note, 0);
    block(SIG_BLOCK, SIGUSR2);
    REQUIRE_ERROR(sigtimedwait(&set, NULL, &instant), EAGAIN);
    REQUIRE(raise(SIGUSR2) == 0 && sigtimedwait(&set, &information, &instant) == SIGUSR2);
    REQUIRE(information.si_signo == SIGUSR2 && handled == 0 && !is_pending(SIGUSR2));
    REQUIRE(raise(SIGUSR2) == 0);
    REQUIRE_ERROR(sigsuspend(&none), EINTR);
    REQUIRE(handled == 1 && is_blocked(SIGUSR2));
    // ppoll lets the signal in, and puts the mask back.
    REQUIRE(raise(SIGUSR2) == 0 && handled == 1);
    REQUIRE_ERROR(ppoll(NULL, 0, NULL, &none), EINTR);
    REQUIRE(handled == 2 && is_blocked(SIGUSR2));
    block(SIG_UNBLOCK, SIGUSR2);
    return NULL;
}

static volatile long entry_flags;

static void look_at_flags(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    long flags;
    __asm__ volatile("pushfq; pop %0" : "=r"(flags));
    entry_flags = flags;
}

static const char *direction_flag(void) {
    // A handler starts with the direction flag clear, whatever the interrupted code had; that gets its own back.
    long flags;
    handle(SIGUSR1, look_at_flags, 0);
    entry_flags = -1;
    __asm__ volatile("sub $128, %%rsp; std; syscall; pushfq; cld; pop %0; add $128, %%rsp"
                     : "=&r"(flags)
                     : "a"(SYS_tkill), "D"((long)getpid()), "S"((long)SIGUSR1)
                     : "rcx", "r11", "memory", "cc");
    REQUIRE(entry_flags != -1 && !(entry_flags & 0x400) && (flags & 0x400));
    return NULL;
}

const struct test signal_tests[] = {
    {"sending", sending},     {"blocking", blocking},         {"queueing", queueing},     {"nesting", nesting},
    {"resetting", resetting}, {"interrupting", interrupting}, {"restarting", restarting}, {"waiting", waiting},
    {"direction_flag", direction_flag}, {NULL, NULL},
};
