// stop.c: a process of several threads stopped, and continued from inside by a timer (SIGSTOP, SIGCONT in signal(7)).
#include "tests.h"

static atomic_int continued, stop;
static atomic_ulong worked;

static void note(int signal) { continued += signal == SIGCONT; }

static void *work(void *unused) {
    while (!stop) worked++;
    return unused;
}

static void *sleep_long(void *unused) {
    // A sleep goes on when the process does, without a word of the stop.
    struct timespec time = {0, 60000000}, end = after(CLOCK_MONOTONIC, 60);
    CHECK(nanosleep(&time, NULL) == 0 && not_before(after(CLOCK_MONOTONIC, 0), end));
    return unused;
}

static void all_threads(void) {
    static const int stopping[] = {SIGSTOP, SIGSTOP, SIGSTOP};
    signal(SIGCONT, note);
    mask_signal(SIG_BLOCK, SIGCONT);
    pthread_t sleeper = start_thread(sleep_long, NULL), worker = start_thread(work, NULL);
    // The main thread takes SIGCONT; while it is blocked elsewhere, it continues all the same.
    mask_signal(SIG_UNBLOCK, SIGCONT);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    timer_t timer;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    for (size_t round = 0; round < sizeof stopping / sizeof *stopping; round++) {
        continued = 0;
        struct timespec end = after(CLOCK_MONOTONIC, 30);
        // Again and again: on a busy machine the first may come before the stop, which would then last for ever.
        struct itimerspec times = {.it_value = end, .it_interval = {0, 30000000}};
        CHECK(timer_settime(timer, TIMER_ABSTIME, &times, NULL) == 0);
        CHECK(kill(getpid(), stopping[round]) == 0);
        // Behind the call it is stopped already, for this thread takes the signal on its way out.
        AWAIT(continued);
        CHECK(not_before(after(CLOCK_MONOTONIC, 0), end) && continued >= 1);
    }
    CHECK(timer_delete(timer) == 0);
    stop = 1;
    join_thread(worker), join_thread(sleeper);
    signal(SIGCONT, SIG_DFL);
}

static void taken_back(void) {
    // Of stopping and continuing the one sent last counts.
    sigset_t pending;
    signal(SIGCONT, note);
    signal(SIGTSTP, note);
    mask_signal(SIG_BLOCK, SIGCONT), mask_signal(SIG_BLOCK, SIGTSTP);
    CHECK(raise(SIGTSTP) == 0 && kill(getpid(), SIGCONT) == 0 && sigpending(&pending) == 0);
    CHECK(sigismember(&pending, SIGCONT) && !sigismember(&pending, SIGTSTP));
    CHECK(raise(SIGTSTP) == 0 && sigpending(&pending) == 0);
    CHECK(!sigismember(&pending, SIGCONT) && sigismember(&pending, SIGTSTP));
    mask_signal(SIG_UNBLOCK, SIGCONT), mask_signal(SIG_UNBLOCK, SIGTSTP);
    signal(SIGCONT, SIG_DFL), signal(SIGTSTP, SIG_DFL);
}

const struct test stop_tests[] = {
    {"stop_all_threads", all_threads}, {"stop_taken_back", taken_back}, {NULL, NULL},
};
