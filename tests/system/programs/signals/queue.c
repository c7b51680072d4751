// queue.c: signals with values, in order, taken by handlers, by waiting, and from a descriptor (sigqueue(3),
// signalfd(2)).
#include "tests.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>

enum { MOST = 64 };
static volatile int count, numbers[MOST], values[MOST], codes[MOST], senders[MOST];

static void note(int signal, siginfo_t *information, void *state) {
    (void)state;
    if (count >= MOST) return;
    numbers[count] = signal;
    values[count] = information->si_value.sival_int;
    codes[count] = information->si_code;
    senders[count] = information->si_pid;
    count++;
}

static void queue(int number, int value) {
    union sigval content = {.sival_int = value};
    CHECK(sigqueue(getpid(), number, content) == 0);
}

static void block_all(int how) {
    sigset_t set;
    sigemptyset(&set);
    for (int number = 1; number <= 5; number++) sigaddset(&set, REAL_TIME_SIGNAL(number));
    sigaddset(&set, SIGUSR1), sigaddset(&set, SIGUSR2);
    CHECK(pthread_sigmask(how, &set, NULL) == 0);
}

static void in_order(void) {
    for (int number = 1; number <= 3; number++) handle(REAL_TIME_SIGNAL(number), note, 0);
    count = 0;
    block_all(SIG_BLOCK);
    for (int value = 0; value < 10; value++)
        for (int number = 3; number >= 1; number--) queue(REAL_TIME_SIGNAL(number), 100 * number + value);
    CHECK(count == 0);
    // One at a time, so that handlers do not nest: each wait lets in one signal, the lowest number first.
    sigset_t none;
    sigemptyset(&none);
    int turns = 0;
    for (int number = 1; number <= 3; number++) sigaddset(&none, REAL_TIME_SIGNAL(number));
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO, .sa_mask = none};
    for (int number = 1; number <= 3; number++) CHECK(sigaction(REAL_TIME_SIGNAL(number), &action, NULL) == 0);
    sigemptyset(&none);
    while (count < 30 && turns++ < 100) REQUIRE(sigsuspend(&none) == -1 && errno == EINTR);
    block_all(SIG_UNBLOCK);
    CHECK(count == 30);
    // Values of one signal come in the order of their sending; among signals, Linux's frames let the last set up run
    // first, so the order within one delivery is not compared.
    int next[4] = {0};
    for (int index = 0; index < 30; index++) {
        int number = numbers[index] - SIGRTMIN;
        CHECK(number >= 1 && number <= 3 && values[index] == 100 * number + next[number]++);
        CHECK(codes[index] == SI_QUEUE && senders[index] == getpid());
    }
}

static void waited_for(void) {
    sigset_t set;
    siginfo_t information;
    struct timespec none = {0, 0}, little = {0, 3000000};
    sigemptyset(&set), sigaddset(&set, REAL_TIME_SIGNAL(4)), sigaddset(&set, REAL_TIME_SIGNAL(5));
    sigaddset(&set, SIGUSR1);
    block_all(SIG_BLOCK);
    CHECK_ERROR(sigtimedwait(&set, &information, &none), EAGAIN);
    CHECK_ERROR(sigtimedwait(&set, &information, &little), EAGAIN);
    for (int value = 0; value < 5; value++) queue(REAL_TIME_SIGNAL(5), value), queue(REAL_TIME_SIGNAL(4), 10 + value);
    CHECK(raise(SIGUSR1) == 0 && raise(SIGUSR1) == 0); // an ordinary one is pending once only
    // glibc hides SI_TKILL here, as its own doing.
    CHECK(sigwaitinfo(&set, &information) == SIGUSR1 && information.si_code <= 0 && information.si_pid == getpid());
    for (int value = 0; value < 5; value++) {
        CHECK(sigwaitinfo(&set, &information) == REAL_TIME_SIGNAL(4) && information.si_value.sival_int == 10 + value);
        CHECK(information.si_signo == REAL_TIME_SIGNAL(4) && information.si_code == SI_QUEUE);
    }
    for (int value = 0; value < 5; value++) {
        CHECK(sigtimedwait(&set, &information, &little) == REAL_TIME_SIGNAL(5));
        CHECK(information.si_value.sival_int == value && information.si_uid == getuid());
    }
    CHECK_ERROR(sigtimedwait(&set, &information, &none), EAGAIN);
    block_all(SIG_UNBLOCK);
}

static atomic_int is_waiting;

static void *wait_for_value(void *unused) {
    (void)unused;
    sigset_t set;
    siginfo_t information;
    sigemptyset(&set), sigaddset(&set, REAL_TIME_SIGNAL(4));
    is_waiting = 1;
    CHECK(sigwaitinfo(&set, &information) == REAL_TIME_SIGNAL(4));
    return (void *)(intptr_t)information.si_value.sival_int;
}

static void waited_for_by_a_thread(void) {
    block_all(SIG_BLOCK);
    for (int round = 0; round < scaled(20); round++) {
        is_waiting = 0;
        pthread_t thread = start_thread(wait_for_value, NULL);
        AWAIT(is_waiting);
        if (round % 2) pause_a_little();
        queue(REAL_TIME_SIGNAL(4), 1000 + round); // to the process: whoever waits takes it
        CHECK(join_thread(thread) == (void *)(intptr_t)(1000 + round));
    }
    block_all(SIG_UNBLOCK);
}

static void pending_sets(void) {
    sigset_t pending;
    block_all(SIG_BLOCK);
    signal(SIGUSR2, SIG_IGN);
    CHECK(raise(SIGUSR2) == 0 && sigpending(&pending) == 0);
    // Linux keeps a blocked signal that is ignored, for a handler may come before it is let in.
    CHECK(sigismember(&pending, SIGUSR2) == 1);
    signal(SIGUSR2, SIG_IGN); // setting it to be ignored throws it away
    CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR2) == 0);
    signal(SIGUSR2, SIG_DFL);
    CHECK(kill(getpid(), SIGUSR1) == 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1);
    signal(SIGUSR1, SIG_IGN);
    block_all(SIG_UNBLOCK);
    signal(SIGUSR1, SIG_DFL);
}

static void from_descriptor(void) {
    sigset_t set;
    struct signalfd_siginfo read_back[4];
    block_all(SIG_BLOCK);
    sigemptyset(&set), sigaddset(&set, REAL_TIME_SIGNAL(1));
    int descriptor = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    CHECK(descriptor >= 0 && (fcntl(descriptor, F_GETFL) & O_NONBLOCK) && fcntl(descriptor, F_GETFD) == FD_CLOEXEC);
    CHECK_ERROR(read(descriptor, read_back, sizeof read_back), EAGAIN);
    CHECK_ERROR(read(descriptor, read_back, sizeof *read_back - 1), EINVAL);
    struct pollfd wanted = {descriptor, POLLIN, 0};
    CHECK(poll(&wanted, 1, 0) == 0);
    for (int value = 0; value < 3; value++) queue(REAL_TIME_SIGNAL(1), 50 + value);
    queue(REAL_TIME_SIGNAL(2), 7);
    CHECK(poll(&wanted, 1, 0) == 1 && wanted.revents == POLLIN);
    CHECK(read(descriptor, read_back, sizeof read_back) == 3 * sizeof *read_back);
    for (int value = 0; value < 3; value++) {
        CHECK((int)read_back[value].ssi_signo == REAL_TIME_SIGNAL(1) && read_back[value].ssi_int == 50 + value);
        CHECK(read_back[value].ssi_code == SI_QUEUE && (int)read_back[value].ssi_pid == getpid());
    }
    // The same descriptor with another set finds the other signal.
    sigemptyset(&set), sigaddset(&set, REAL_TIME_SIGNAL(2));
    CHECK(signalfd(descriptor, &set, 0) == descriptor);
    CHECK(read(descriptor, read_back, sizeof read_back) == sizeof *read_back && read_back[0].ssi_int == 7);
    CHECK(close(descriptor) == 0);
    CHECK_ERROR(signalfd(1, &set, 0), EINVAL);
    CHECK_ERROR(signalfd(-1, &set, 1), EINVAL);
    block_all(SIG_UNBLOCK);
}

static atomic_int turn;

static void *send_each_turn(void *rounds) {
    for (int round = 1; round <= (int)(intptr_t)rounds; round++) {
        while (atomic_load(&turn) != round)
            sched_yield();
        kill(getpid(), SIGUSR1);
    }
    return NULL;
}

// The signal that is awaited is taken while its sender is still busy with it: the next wait is not interrupted for
// that.
static void awaited_in_turn(void) {
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, SIGUSR1);
    CHECK(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    int rounds = scaled(20000);
    pthread_t sender = start_thread(send_each_turn, (void *)(intptr_t)rounds);
    for (int round = 1; round <= rounds; round++) {
        atomic_store(&turn, round);
        REQUIRE(sigwaitinfo(&set, NULL) == SIGUSR1);
    }
    join_thread(sender);
    CHECK(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
}

const struct test queue_tests[] = {
    {"queue_in_order", in_order},         {"queue_waited_for", waited_for},
    {"queue_waited_for_by_a_thread", waited_for_by_a_thread}, {"pending_sets", pending_sets},
    {"signal_descriptor", from_descriptor}, {"queue_awaited_in_turn", awaited_in_turn},
    {NULL, NULL},
};
