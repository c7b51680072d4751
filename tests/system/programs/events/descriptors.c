// descriptors.c: timers and counters as descriptors, and signals beside them (timerfd_create(2), eventfd(2)).
#include "tests.h"

#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

static int is_ready(int descriptor, short events) {
    struct pollfd wanted = {descriptor, events, 0};
    return poll(&wanted, 1, 0) == 1 ? wanted.revents : 0;
}

static uint64_t read_count(int descriptor) {
    uint64_t count = 0;
    CHECK(read(descriptor, &count, sizeof count) == sizeof count);
    return count;
}

static void timer_descriptor(void) {
    clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME};
    for (int index = 0; index < 3; index++) {
        int timer = timerfd_create(clocks[index], TFD_CLOEXEC);
        struct itimerspec times = {.it_value = {0, 2000000}}, left;
        CHECK(timer >= 0 && !is_ready(timer, POLLIN) && timerfd_settime(timer, 0, &times, NULL) == 0);
        struct timespec end = after(clocks[index], 0);
        CHECK(read_count(timer) == 1 && not_before(after(clocks[index], 0), end));
        CHECK(timerfd_gettime(timer, &left) == 0 && left.it_value.tv_nsec == 0);
        // Until a time, then every so often.
        times.it_value = after(clocks[index], 1), times.it_interval = (struct timespec){0, 1000000};
        CHECK(timerfd_settime(timer, TFD_TIMER_ABSTIME, &times, NULL) == 0);
        uint64_t total = 0;
        int reads = 0;
        for (; total < 10; reads++) {
            uint64_t count = 0;
            REQUIRE(read(timer, &count, sizeof count) == sizeof count && count >= 1);
            total += count;
        }
        CHECK(reads <= 10 && not_before(after(clocks[index], 0), times.it_value));
        CHECK(timerfd_gettime(timer, &left) == 0 && left.it_interval.tv_nsec == 1000000);
        times = (struct itimerspec){0};
        CHECK(timerfd_settime(timer, 0, &times, &left) == 0 && left.it_interval.tv_nsec == 1000000);
        CHECK(!is_ready(timer, POLLIN) && close(timer) == 0);
    }
}

static void timer_errors(void) {
    uint64_t count;
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec wrong = {.it_value = {0, 1000000000}}, past = {.it_value = {0, 1}};
    CHECK_ERROR(read(timer, &count, sizeof count), EAGAIN);
    CHECK_ERROR(read(timer, &count, 4), EINVAL);
    CHECK_ERROR(timerfd_settime(timer, 0, &wrong, NULL), EINVAL);
    CHECK_ERROR(timerfd_create(77, 0), EINVAL);
    CHECK_ERROR(timerfd_create(CLOCK_MONOTONIC, 1), EINVAL);
    CHECK_ERROR(timerfd_settime(1, 0, &past, NULL), EINVAL);
    CHECK_ERROR(write(timer, &count, sizeof count), EINVAL);
    // A time that has passed rings at once.
    CHECK(timerfd_settime(timer, TFD_TIMER_ABSTIME, &past, NULL) == 0);
    AWAIT(is_ready(timer, POLLIN) == POLLIN);
    CHECK(read_count(timer) == 1 && close(timer) == 0);
}

static void counter(void) {
    uint64_t value = 5, most = -2;
    int event = eventfd(3, EFD_NONBLOCK | EFD_CLOEXEC);
    CHECK(event >= 0 && fcntl(event, F_GETFD) == FD_CLOEXEC && read_count(event) == 3);
    CHECK_ERROR(read(event, &value, sizeof value), EAGAIN);
    CHECK(is_ready(event, POLLIN | POLLOUT) == POLLOUT);
    CHECK(write(event, &value, sizeof value) == 8 && write(event, &value, sizeof value) == 8 && read_count(event) == 10);
    CHECK(write(event, &most, sizeof most) == 8 && is_ready(event, POLLIN | POLLOUT) == POLLIN);
    CHECK_ERROR(write(event, &value, sizeof value), EAGAIN);
    value = -1;
    CHECK_ERROR(write(event, &value, sizeof value), EINVAL);
    CHECK_ERROR(write(event, &value, 4), EINVAL);
    CHECK_ERROR(read(event, &value, 4), EINVAL);
    CHECK(read_count(event) == most && close(event) == 0);
    CHECK_ERROR(eventfd(0, 2), EINVAL);
}

static void counter_as_semaphore(void) {
    uint64_t value = 3;
    int event = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
    CHECK(event >= 0 && write(event, &value, sizeof value) == 8);
    for (int round = 0; round < 5; round++) CHECK(read_count(event) == 1);
    CHECK_ERROR(read(event, &value, sizeof value), EAGAIN);
    CHECK(close(event) == 0);
}

static int tokens, answers;
static atomic_long taken;

static void *take_tokens(void *unused) {
    uint64_t count;
    for (;;) {
        if (read(tokens, &count, sizeof count) != 8 || count != 1) return "token";
        if (++taken > scaled(2000)) return (void)unused, NULL;
        count = 1;
        if (write(answers, &count, sizeof count) != 8) return "answer";
    }
}

static void among_threads(void) {
    pthread_t threads[8];
    tokens = eventfd(0, EFD_SEMAPHORE), answers = eventfd(0, 0);
    taken = 0;
    for (int index = 0; index < 8; index++) threads[index] = start_thread(take_tokens, NULL);
    uint64_t answered = 0, one = 1, all = 8;
    for (int round = 0; round < scaled(2000); round++) REQUIRE(write(tokens, &one, sizeof one) == 8);
    while (answered < (uint64_t)scaled(2000)) {
        uint64_t count;
        REQUIRE(read(answers, &count, sizeof count) == 8);
        answered += count;
    }
    // One more each, by which they end.
    CHECK(write(tokens, &all, sizeof all) == 8);
    for (int index = 0; index < 8; index++) CHECK(join_thread(threads[index]) == NULL);
    CHECK(answered == (uint64_t)scaled(2000) && close(tokens) == 0 && close(answers) == 0);
}

static void *raise_blocked(void *unused) {
    kill(getpid(), SIGUSR1);
    return unused;
}

static void signal_descriptor(void) {
    sigset_t set;
    struct signalfd_siginfo information;
    sigemptyset(&set), sigaddset(&set, SIGUSR1);
    CHECK(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    int descriptor = signalfd(-1, &set, 0), queue = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 9}, got;
    CHECK(descriptor >= 0 && epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) == 0);
    for (int round = 0; round < scaled(20); round++) {
        CHECK(epoll_wait(queue, &got, 1, 0) == 0);
        pthread_t thread = start_thread(raise_blocked, NULL);
        CHECK(epoll_wait(queue, &got, 1, -1) == 1 && got.data.u32 == 9);
        CHECK(read(descriptor, &information, sizeof information) == sizeof information);
        CHECK(information.ssi_signo == SIGUSR1 && (int)information.ssi_pid == getpid());
        join_thread(thread);
    }
    CHECK(close(descriptor) == 0 && close(queue) == 0 && pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
}

const struct test descriptor_tests[] = {
    {"timer_descriptor", timer_descriptor}, {"timer_descriptor_errors", timer_errors},
    {"counter", counter},                   {"counter_as_semaphore", counter_as_semaphore},
    {"counter_among_threads", among_threads}, {"signal_descriptor", signal_descriptor},
    {NULL, NULL},
};
