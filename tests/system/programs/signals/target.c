// target.c: who gets a signal: a thread named, any thread that lets it in, the one whose mask says so (tgkill(2)).
#include "tests.h"

enum { THREADS = 8 };
static atomic_int ids[THREADS], got[THREADS], wrong, stop, ready;
static __thread int own_index = -1;

static void note(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)state;
    if (own_index < 0) wrong++;
    else if (information->si_code == SI_TKILL || information->si_code == SI_USER) got[own_index]++;
    else wrong++;
}

static void *be_hit(void *argument) {
    own_index = (int)(intptr_t)argument;
    ids[own_index] = (int)thread_id();
    ready++;
    // Half of them compute, half of them sleep.
    while (!stop)
        if (own_index % 2) pause_a_little();
    return NULL;
}

static void start_all(pthread_t *threads, void *(*body)(void *)) {
    ready = stop = wrong = 0;
    for (intptr_t index = 0; index < THREADS; index++) {
        got[index] = 0;
        threads[index] = start_thread(body, (void *)index);
    }
    AWAIT(ready >= THREADS);
}

static void join_all(pthread_t *threads) {
    stop = 1;
    for (int index = 0; index < THREADS; index++) join_thread(threads[index]);
}

static void one_thread(void) {
    pthread_t threads[THREADS];
    handle(SIGUSR1, note, SA_RESTART);
    start_all(threads, be_hit);
    for (int round = 1; round <= scaled(30); round++) {
        for (int index = 0; index < THREADS; index++) {
            CHECK(syscall(SYS_tgkill, getpid(), ids[index], SIGUSR1) == 0);
            AWAIT(got[index] == round);
        }
    }
    CHECK(wrong == 0);
    CHECK_ERROR(syscall(SYS_tgkill, getpid() + 1, ids[0], SIGUSR1), ESRCH);
    CHECK_ERROR(syscall(SYS_tgkill, getpid(), 0x3ffffff, SIGUSR1), ESRCH);
    CHECK_ERROR(syscall(SYS_tgkill, getpid(), 0, SIGUSR1), EINVAL);
    CHECK_ERROR(syscall(SYS_tgkill, getpid(), ids[0], 65), EINVAL);
    CHECK(syscall(SYS_tgkill, getpid(), ids[0], 0) == 0);
    join_all(threads);
    CHECK_ERROR(syscall(SYS_tgkill, getpid(), ids[0], SIGUSR1), ESRCH);
}

static atomic_int open_one;

static void *open_to_one(void *argument) {
    own_index = (int)(intptr_t)argument;
    ids[own_index] = (int)thread_id();
    // It inherited the block; the one chosen lifts it.
    sigset_t mask;
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGUSR1));
    if (own_index == open_one) mask_signal(SIG_UNBLOCK, SIGUSR1);
    ready++;
    AWAIT(stop);
    return NULL;
}

static void any_thread_not_blocking(void) {
    pthread_t threads[THREADS];
    handle(SIGUSR1, note, SA_RESTART);
    mask_signal(SIG_BLOCK, SIGUSR1);
    for (open_one = 0; open_one < THREADS; open_one++) {
        start_all(threads, open_to_one);
        for (int round = 1; round <= scaled(10); round++) {
            CHECK(kill(getpid(), SIGUSR1) == 0);
            AWAIT(got[open_one] == round);
        }
        int others = 0;
        for (int index = 0; index < THREADS; index++) others += index != open_one ? got[index] : 0;
        CHECK(others == 0 && wrong == 0);
        join_all(threads);
    }
    mask_signal(SIG_UNBLOCK, SIGUSR1);
}

static void *open_late(void *argument) {
    own_index = (int)(intptr_t)argument;
    ready++;
    AWAIT(stop || open_one == own_index);
    // A signal that waited for the process comes as soon as anybody lets it in.
    if (open_one == own_index) mask_signal(SIG_UNBLOCK, SIGUSR1);
    AWAIT(stop);
    return NULL;
}

static void pending_for_anyone(void) {
    pthread_t threads[THREADS];
    sigset_t pending;
    handle(SIGUSR1, note, SA_RESTART);
    mask_signal(SIG_BLOCK, SIGUSR1);
    open_one = -1;
    start_all(threads, open_late);
    CHECK(kill(getpid(), SIGUSR1) == 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
    open_one = 5;
    AWAIT(got[5] == 1);
    CHECK(wrong == 0 && sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR1));
    join_all(threads);
    mask_signal(SIG_UNBLOCK, SIGUSR1);
}

static void *see_own_pending(void *unused) {
    (void)unused;
    sigset_t pending;
    // What is for another thread is not pending here, and a new thread has nothing pending.
    return sigpending(&pending) == 0 && !sigismember(&pending, SIGUSR2) ? NULL : "another thread's signal";
}

static void pending_for_one(void) {
    sigset_t pending;
    mask_signal(SIG_BLOCK, SIGUSR2);
    CHECK(pthread_kill(pthread_self(), SIGUSR2) == 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR2));
    CHECK(join_thread(start_thread(see_own_pending, NULL)) == NULL);
    signal(SIGUSR2, SIG_IGN);
    mask_signal(SIG_UNBLOCK, SIGUSR2);
    signal(SIGUSR2, SIG_DFL);
}

static atomic_long stormed;

static void note_storm(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    stormed++;
}

static void *storm(void *argument) {
    // Each hits all others, without pause, while it is hit.
    int index = (int)(intptr_t)argument;
    ids[index] = (int)thread_id();
    ready++;
    AWAIT(ready >= THREADS);
    for (int round = 0; round < scaled(100); round++)
        for (int other = 0; other < THREADS; other++)
            // A queue that is full says so (RLIMIT_SIGPENDING).
            while (syscall(SYS_tgkill, getpid(), ids[other], REAL_TIME_SIGNAL(5)))
                if (errno == EAGAIN) sched_yield();
                else wrong++;
    ready++;
    AWAIT(stop);
    return NULL;
}

static void everyone_everyone(void) {
    pthread_t threads[THREADS];
    handle(REAL_TIME_SIGNAL(5), note_storm, SA_RESTART);
    stormed = 0;
    start_all(threads, storm);
    // A real-time signal is never merged with another: each one sent is handled.
    AWAIT(ready == 2 * THREADS && stormed == (long)THREADS * THREADS * scaled(100));
    CHECK(wrong == 0);
    join_all(threads);
    CHECK(stormed == (long)THREADS * THREADS * scaled(100));
}

const struct test target_tests[] = {
    {"one_thread", one_thread},           {"any_thread_not_blocking", any_thread_not_blocking},
    {"pending_for_anyone", pending_for_anyone}, {"pending_for_one", pending_for_one},
    {"everyone_everyone", everyone_everyone},   {NULL, NULL},
};
