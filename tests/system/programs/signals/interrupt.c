// interrupt.c: calls that wait, broken off by a signal or begun again (SA_RESTART, signal(7)).
#include "tests.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

static atomic_int handled, state_of_waiter;
static int ends[2];

static void note(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    handled++;
}

// The waits; each returns 0 if it ended well, or its error.
static int in_read(void) {
    char byte;
    return read(ends[0], &byte, 1) == 1 ? 0 : errno;
}

static int in_sleep(void) {
    struct timespec hour = {3600, 0}, left = {0, 0};
    int result = nanosleep(&hour, &left) ? errno : 0;
    return result == EINTR && (left.tv_sec <= 0 || left.tv_sec > 3600) ? 999 : result;
}

static int in_clock_sleep(void) {
    struct timespec limit = after(CLOCK_MONOTONIC, 3600 * 1000);
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &limit, NULL);
}

static futex_word word;

static int in_futex(void) {
    return futex(&word, WAIT | PRIVATE, 0, NULL, NULL, 0) ? errno : 0;
}

static int in_poll(void) {
    struct pollfd wanted = {ends[0], POLLIN, 0};
    return poll(&wanted, 1, -1) < 0 ? errno : 0;
}

static int in_select(void) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    return select(ends[0] + 1, &set, NULL, NULL, NULL) < 0 ? errno : 0;
}

static int in_epoll(void) {
    int queue = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &event);
    int result = epoll_wait(queue, &event, 1, -1) < 0 ? errno : 0;
    close(queue);
    return result;
}

static int in_suspend(void) {
    sigset_t none;
    sigemptyset(&none);
    return sigsuspend(&none) ? errno : 0;
}

static int in_pause(void) { return pause() ? errno : 0; }

static const struct wait {
    int (*wait)(void);
    int restarts; // with SA_RESTART
} waits[] = {
    {in_read, 1}, {in_futex, 1}, {in_sleep, 0}, {in_clock_sleep, 0}, {in_poll, 0},
    {in_select, 0}, {in_epoll, 0}, {in_suspend, 0}, {in_pause, 0},
};

static void *wait_in(void *wait) {
    state_of_waiter = 1;
    int result = ((const struct wait *)wait)->wait();
    state_of_waiter = 2;
    return (void *)(intptr_t)result;
}

// Signals until the wait is over: one that comes before it begins does not count.
static void interrupt(pthread_t thread) {
    while (state_of_waiter != 2) pthread_kill(thread, SIGUSR1), pause_a_little();
}

static pthread_t start(const struct wait *wait, int flags) {
    handle(SIGUSR1, note, flags);
    handled = state_of_waiter = 0;
    pthread_t thread = start_thread(wait_in, (void *)wait);
    AWAIT(state_of_waiter);
    return thread;
}

static void broken_off(void) {
    CHECK(pipe(ends) == 0);
    for (size_t index = 0; index < sizeof waits / sizeof *waits; index++) {
        for (int flags = 0; flags < 2; flags++) {
            if (flags && waits[index].restarts) continue;
            pthread_t thread = start(&waits[index], flags ? SA_RESTART : 0);
            interrupt(thread);
            CHECK(join_thread(thread) == (void *)EINTR && handled >= 1);
        }
    }
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void end_wait(const struct wait *wait) {
    word = 1;
    if (wait->wait == in_read) CHECK(write(ends[1], "x", 1) == 1);
    else AWAIT(state_of_waiter == 2 || (wake(&word, 1), 0));
}

static void begun_again(void) {
    CHECK(pipe(ends) == 0);
    for (size_t index = 0; index < sizeof waits / sizeof *waits; index++) {
        if (!waits[index].restarts) continue;
        word = 0;
        pthread_t thread = start(&waits[index], SA_RESTART);
        for (int round = 0; round < 10; round++) pthread_kill(thread, SIGUSR1), pause_a_little();
        AWAIT(handled >= 1);
        CHECK(state_of_waiter == 1);
        end_wait(&waits[index]);
        // A futex whose value changed between handler and wait says so.
        intptr_t result = (intptr_t)join_thread(thread);
        CHECK(result == 0 || (result == EAGAIN && waits[index].wait == in_futex));
    }
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void masks_of_waits(void) {
    // ppoll, pselect and epoll_pwait change the mask for the time of the wait, and lose no signal that was pending.
    sigset_t none, mask;
    sigemptyset(&none);
    int queue = epoll_create1(0);
    struct epoll_event event;
    handle(SIGUSR1, note, 0);
    mask_signal(SIG_BLOCK, SIGUSR1);
    handled = 0;
    CHECK(raise(SIGUSR1) == 0 && handled == 0);
    CHECK_ERROR(ppoll(NULL, 0, NULL, &none), EINTR);
    CHECK(handled == 1 && raise(SIGUSR1) == 0 && handled == 1);
    CHECK_ERROR(pselect(0, NULL, NULL, NULL, NULL, &none), EINTR);
    CHECK(handled == 2 && raise(SIGUSR1) == 0 && handled == 2);
    CHECK_ERROR(epoll_pwait(queue, &event, 1, -1, &none), EINTR);
    CHECK(handled == 3 && raise(SIGUSR1) == 0 && handled == 3);
    CHECK_ERROR(sigsuspend(&none), EINTR);
    CHECK(handled == 4 && pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGUSR1));
    mask_signal(SIG_UNBLOCK, SIGUSR1);
    CHECK(close(queue) == 0);
}

static void *write_all(void *unused) {
    (void)unused;
    static char block[1 << 20];
    memset(block, 'w', sizeof block);
    ssize_t done = 0, count;
    while (done < (ssize_t)sizeof block)
        if ((count = write(ends[1], block + done, sizeof block - done)) > 0) done += count;
        else return "write";
    state_of_waiter = 2;
    return NULL;
}

static void long_transfer(void) {
    // A megabyte through a pipe under a storm of signals: with SA_RESTART no byte is lost and no error seen.
    struct itimerval every = {.it_interval = {0, 1000}, .it_value = {0, 1000}}, off = {0};
    static char piece[3000];
    CHECK(pipe(ends) == 0);
    handle(SIGALRM, note, SA_RESTART);
    state_of_waiter = 0;
    CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
    pthread_t thread = start_thread(write_all, NULL);
    long total = 0, wrong = 0;
    while (total < 1 << 20) {
        ssize_t count = read(ends[0], piece, sizeof piece);
        if (count <= 0) break;
        for (ssize_t index = 0; index < count; index++) wrong += piece[index] != 'w';
        total += count;
        if (total % 7 == 0) pause_a_little();
    }
    CHECK(setitimer(ITIMER_REAL, &off, NULL) == 0);
    CHECK(total == 1 << 20 && wrong == 0 && join_thread(thread) == NULL);
    signal(SIGALRM, SIG_DFL);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

const struct test interrupt_tests[] = {
    {"waits_broken_off", broken_off}, {"waits_begun_again", begun_again}, {"masks_of_waits", masks_of_waits},
    {"long_transfer", long_transfer}, {NULL, NULL},
};
