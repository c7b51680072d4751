// timers.c: interval timers of each kind, and those of timer_create(2) with their overruns.
#include "tests.h"

#include <sys/timerfd.h>

static atomic_int handled, last_value, last_code;

static void note(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)state;
    last_value = information->si_value.sival_int;
    last_code = information->si_code;
    handled++;
}

static void interval(int which, int number) {
    struct itimerval every = {.it_interval = {0, 2000}, .it_value = {0, 2000}}, off = {0}, old;
    handle(number, note, 0);
    handled = 0;
    CHECK(setitimer(which, &every, NULL) == 0 && getitimer(which, &old) == 0);
    CHECK(old.it_interval.tv_usec >= 2000 && old.it_value.tv_sec == 0);
    // VIRTUAL and PROF run only while the program does.
    for (volatile unsigned long work = 0; handled < 5; work = work + 1) continue;
    CHECK(setitimer(which, &off, &old) == 0 && old.it_interval.tv_usec >= 2000);
    CHECK(getitimer(which, &old) == 0 && old.it_value.tv_sec == 0 && old.it_value.tv_usec == 0);
    signal(number, SIG_DFL);
}

static void real(void) { interval(ITIMER_REAL, SIGALRM); }
static void virtual(void) { interval(ITIMER_VIRTUAL, SIGVTALRM); }
static void profiling(void) { interval(ITIMER_PROF, SIGPROF); }

static void alarms(void) {
    handle(SIGALRM, note, 0);
    CHECK(alarm(100) == 0 && alarm(50) <= 100 && alarm(0) >= 1);
    struct itimerval wrong = {.it_value = {0, 1000000}};
    CHECK_ERROR(setitimer(ITIMER_REAL, &wrong, NULL), EINVAL);
    CHECK_ERROR(setitimer(7, &wrong, NULL), EINVAL);
    struct itimerval once = {.it_value = {0, 1000}};
    handled = 0;
    CHECK(setitimer(ITIMER_REAL, &once, NULL) == 0);
    AWAIT(handled);
    for (int round = 0; round < 10; round++) pause_a_little();
    CHECK(handled == 1);
    signal(SIGALRM, SIG_DFL);
}

static timer_t create(clockid_t clock, int notify, int number, int value) {
    struct sigevent event = {.sigev_notify = notify, .sigev_signo = number, .sigev_value.sival_int = value};
    timer_t timer;
    CHECK(timer_create(clock, &event, &timer) == 0);
    return timer;
}

static void set(timer_t timer, int flags, int milliseconds, int every) {
    struct itimerspec times = {
        .it_value = {0, milliseconds * 1000000}, .it_interval = {0, every * 1000000},
    };
    if (flags == TIMER_ABSTIME) times.it_value = after(CLOCK_MONOTONIC, milliseconds);
    CHECK(timer_settime(timer, flags, &times, NULL) == 0);
}

static void signalling(void) {
    timer_t timers[10];
    int number = SIGRTMIN + 1;
    handle(number, note, 0);
    for (int index = 0; index < 10; index++) timers[index] = create(CLOCK_MONOTONIC, SIGEV_SIGNAL, number, 100 + index);
    for (int index = 0; index < 10; index++) {
        handled = 0;
        set(timers[index], index % 2 ? TIMER_ABSTIME : 0, 1, 0);
        AWAIT(handled);
        CHECK(handled == 1 && last_value == 100 + index && last_code == SI_TIMER);
    }
    // All at once, each with a value of its own.
    handled = 0;
    for (int index = 0; index < 10; index++) set(timers[index], 0, 1 + index % 3, 0);
    AWAIT(handled == 10);
    struct itimerspec left;
    CHECK(timer_gettime(timers[0], &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
    struct itimerspec hour = {.it_value = {3600, 0}, .it_interval = {1, 5}};
    CHECK(timer_settime(timers[0], 0, &hour, NULL) == 0 && timer_gettime(timers[0], &left) == 0);
    CHECK(left.it_value.tv_sec >= 3000 && left.it_interval.tv_sec == 1 && left.it_interval.tv_nsec == 5);
    for (int index = 0; index < 10; index++) CHECK(timer_delete(timers[index]) == 0);
    CHECK(handled == 10);
}

static void overrunning(void) {
    // A blocked signal of a timer is pending once; what it missed is counted (timer_getoverrun(2)).
    int number = SIGRTMIN + 1;
    handle(number, note, 0);
    timer_t timer = create(CLOCK_MONOTONIC, SIGEV_SIGNAL, number, 5);
    mask_signal(SIG_BLOCK, number);
    handled = 0;
    struct timespec wait = {0, 20000000};
    set(timer, 0, 1, 1);
    CHECK(nanosleep(&wait, NULL) == 0 && handled == 0);
    sigset_t one;
    siginfo_t information;
    sigemptyset(&one), sigaddset(&one, number);
    CHECK(sigwaitinfo(&one, &information) == number && information.si_code == SI_TIMER);
    CHECK(information.si_overrun >= 15 && timer_getoverrun(timer) == information.si_overrun);
    CHECK(timer_delete(timer) == 0);
    struct timespec none = {0, 0};
    while (sigtimedwait(&one, &information, &none) > 0) continue;
    mask_signal(SIG_UNBLOCK, number);
}

// What a signal missed stays told while later ones are ignored.
static void ignored(void) {
    struct timespec wait = {0, 20000000};
    timer_t timer = create(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGCONT, 0);
    mask_signal(SIG_BLOCK, SIGCONT);
    set(timer, 0, 1, 1);
    CHECK(nanosleep(&wait, NULL) == 0);
    mask_signal(SIG_UNBLOCK, SIGCONT);
    int missed = timer_getoverrun(timer);
    CHECK(missed >= 15 && nanosleep(&wait, NULL) == 0 && timer_getoverrun(timer) == missed);
    CHECK(timer_delete(timer) == 0);
}

// A timer whose interval is shorter than a signal takes: the program goes on all the same, and each ring is counted.
static atomic_long rung, set_at, told, missing;

static long now(clockid_t clock) {
    struct timespec time;
    REQUIRE(clock_gettime(clock, &time) == 0);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}

enum { SHORT = 10000 };

// All that rang before the last handler looked at the clock is counted by now.
static void count(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)state;
    rung += 1 + information->si_overrun;
    if (set_at && told && rung < (told - set_at) / SHORT - 1) missing++;
    told = now(CLOCK_MONOTONIC);
    handled++;
}

static void work(void) {
    for (volatile long step = 0; step < 300000; step = step + 1) continue;
}

static void hasty(void) {
    clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
    int number = SIGRTMIN + 3;
    for (int index = 0; index < 4; index++) {
        struct itimerspec times = {.it_value = {0, 1000}, .it_interval = {0, 1000}};
        // SIGCONT does nothing.
        timer_t ignored = create(clocks[index], SIGEV_SIGNAL, SIGCONT, 0);
        CHECK(timer_settime(ignored, 0, &times, NULL) == 0);
        work();
        CHECK(timer_delete(ignored) == 0);
        handle(number, count, 0);
        handled = rung = told = missing = set_at = 0;
        times.it_interval.tv_nsec = SHORT;
        timer_t counted = create(clocks[index], SIGEV_SIGNAL, number, 0);
        long began = now(CLOCK_MONOTONIC);
        CHECK(timer_settime(counted, 0, &times, NULL) == 0);
        set_at = now(CLOCK_MONOTONIC);
        work();
        while (handled < 3) work();
        CHECK(timer_delete(counted) == 0);
        if (clocks[index] == CLOCK_MONOTONIC) CHECK(missing == 0);
        // Linux counts processor time by ticks here, which may be ahead.
        if (index < 2) CHECK(rung <= (now(CLOCK_MONOTONIC) - began) / SHORT + 1);
    }
}

static void hasty_intervals(void) {
    int kinds[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}, numbers[] = {SIGALRM, SIGVTALRM, SIGPROF};
    struct itimerval every = {.it_interval = {0, 1}, .it_value = {0, 1}}, ten = {{0, 10}, {0, 10}}, off = {0};
    for (int index = 0; index < 3; index++) {
        signal(numbers[index], SIG_IGN);
        CHECK(setitimer(kinds[index], &every, NULL) == 0);
        work();
        CHECK(setitimer(kinds[index], &off, NULL) == 0);
        handle(numbers[index], note, 0);
        handled = 0;
        CHECK(setitimer(kinds[index], &ten, NULL) == 0);
        while (handled < 3) work();
        CHECK(setitimer(kinds[index], &off, NULL) == 0);
        signal(numbers[index], SIG_DFL);
    }
}

static void hasty_descriptor(void) {
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec times = {.it_value = {0, 1000}, .it_interval = {0, 1000}};
    uint64_t count, sum = 0;
    long start = now(CLOCK_MONOTONIC), before = start;
    CHECK(timerfd_settime(timer, 0, &times, NULL) == 0);
    long set = now(CLOCK_MONOTONIC);
    for (int round = 0; round < 20; round++) {
        work();
        before = now(CLOCK_MONOTONIC);
        CHECK(read(timer, &count, sizeof count) == sizeof count && count > 0);
        sum += count;
    }
    CHECK(sum + 2 >= (uint64_t)(before - set) / 1000 && sum <= (uint64_t)(now(CLOCK_MONOTONIC) - start) / 1000);
    close(timer);
}

static void silent(void) {
    timer_t timer = create(CLOCK_REALTIME, SIGEV_NONE, 0, 0);
    set(timer, 0, 1, 0);
    struct itimerspec left;
    AWAIT(timer_gettime(timer, &left) == 0 && left.it_value.tv_nsec == 0);
    CHECK(timer_delete(timer) == 0);
}

static atomic_int called;

static void be_called(union sigval value) { called += value.sival_int; }

static void in_a_thread(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = be_called, .sigev_value.sival_int = 3};
    timer_t timer;
    called = 0;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    set(timer, 0, 1, 1);
    AWAIT(called >= 15);
    CHECK(timer_delete(timer) == 0);
}

static void processor_timers(void) {
    int number = SIGRTMIN + 2;
    clockid_t clocks[] = {CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
    handle(number, note, 0);
    for (int index = 0; index < 2; index++) {
        timer_t timer = create(clocks[index], SIGEV_SIGNAL, number, 7 + index);
        handled = 0;
        set(timer, 0, 3, 0);
        for (volatile unsigned long work = 0; !handled; work = work + 1) continue;
        CHECK(handled == 1 && last_value == 7 + index && timer_delete(timer) == 0);
    }
}

static int waits(int number) {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, number);
}

// A signal may outlive its timer, whose number another one has by then: who takes it does nothing for that one. Linux
// forgets it since 6.13.
static void renumbered(void) {
    int old = SIGRTMIN + 3, new = SIGRTMIN + 4;
    sigset_t both, one, before;
    struct timespec none = {0}, long_enough = {1, 200000000};
    struct itimerspec every = {.it_value = {0, 1000000}, .it_interval = {1, 0}};
    sigemptyset(&both);
    sigaddset(&both, old);
    sigaddset(&both, new);
    CHECK(sigprocmask(SIG_BLOCK, &both, &before) == 0);
    timer_t timer = create(CLOCK_MONOTONIC, SIGEV_SIGNAL, old, 1);
    set(timer, 0, 1, 0);
    AWAIT(waits(old));
    CHECK(timer_delete(timer) == 0);
    timer = create(CLOCK_MONOTONIC, SIGEV_SIGNAL, new, 2);
    CHECK(timer_settime(timer, 0, &every, NULL) == 0);
    AWAIT(waits(new));
    sigemptyset(&one);
    sigaddset(&one, old);
    CHECK(sigtimedwait(&one, NULL, &none) == old || errno == EAGAIN);
    // It rings again when its signal has been taken, and not before.
    CHECK(nanosleep(&long_enough, NULL) == 0);
    sigemptyset(&one);
    sigaddset(&one, new);
    CHECK(sigtimedwait(&one, NULL, &none) == new);
    CHECK_ERROR(sigtimedwait(&one, NULL, &none), EAGAIN);
    CHECK(timer_delete(timer) == 0);
    CHECK(sigprocmask(SIG_SETMASK, &before, NULL) == 0);
}

static int ends[2];

static void *sleep_then_work(void *unused) {
    char byte;
    CHECK(read(ends[0], &byte, 1) == 1);
    for (volatile unsigned long work = 0; !handled; work = work + 1) continue;
    return unused;
}

// A thread that sleeps uses no time: its timer does not ring, however little is left, and keeps nobody from going on.
static void sleepers_timer(void) {
    clockid_t clock;
    struct itimerspec little = {.it_value = {0, 1000}};
    handle(SIGUSR1, note, 0);
    handled = 0;
    CHECK(pipe(ends) == 0);
    pthread_t sleeper = start_thread(sleep_then_work, NULL);
    CHECK(pthread_getcpuclockid(sleeper, &clock) == 0);
    struct timespec before, now;
    do {
        REQUIRE(clock_gettime(clock, &before) == 0);
        for (int pause = 0; pause < 20; pause++) pause_a_little();
        REQUIRE(clock_gettime(clock, &now) == 0);
    } while (before.tv_sec != now.tv_sec || before.tv_nsec != now.tv_nsec);
    timer_t timer = create(clock, SIGEV_SIGNAL, SIGUSR1, 9);
    CHECK(timer_settime(timer, 0, &little, NULL) == 0);
    struct timespec end = after(CLOCK_MONOTONIC, 30);
    while (!not_before(after(CLOCK_MONOTONIC, 0), end)) continue;
    CHECK(handled == 0 && write(ends[1], "x", 1) == 1);
    join_thread(sleeper);
    CHECK(handled == 1 && last_value == 9 && timer_delete(timer) == 0);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void errors(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 65};
    int id; // the kernel's: an int
    CHECK_ERROR(syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &id), EINVAL);
    CHECK_ERROR(syscall(SYS_timer_create, 77, NULL, &id), EINVAL);
    CHECK(syscall(SYS_timer_create, CLOCK_MONOTONIC, NULL, &id) == 0); // SIGALRM
    struct itimerspec wrong = {.it_value = {0, 1000000000}};
    CHECK_ERROR(syscall(SYS_timer_settime, id, 0, &wrong, NULL), EINVAL);
    CHECK(syscall(SYS_timer_getoverrun, id) == 0 && syscall(SYS_timer_delete, id) == 0);
    CHECK_ERROR(syscall(SYS_timer_delete, id), EINVAL);
    CHECK_ERROR(syscall(SYS_timer_gettime, id, &wrong), EINVAL);
}

const struct test timer_tests[] = {
    {"interval_real", real},           {"interval_virtual", virtual}, {"interval_profiling", profiling},
    {"alarms", alarms},                {"timers_signalling", signalling}, {"timers_overrunning", overrunning},
    {"timers_ignored", ignored},
    {"timers_hasty", hasty},           {"intervals_hasty", hasty_intervals}, {"descriptors_hasty", hasty_descriptor},
    {"timers_silent", silent},         {"timers_in_a_thread", in_a_thread}, {"timers_of_processor_time", processor_timers},
    {"timers_renumbered", renumbered}, {"timers_of_sleepers", sleepers_timer}, {"timers_errors", errors},
    {NULL, NULL},
};
