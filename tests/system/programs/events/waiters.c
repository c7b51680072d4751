// waiters.c: many threads that wait by epoll for the same events (epoll(7), EPOLLEXCLUSIVE in epoll_ctl(2)).
#include "tests.h"

#include <sys/eventfd.h>

enum { WAITERS = 16 };
static int queue, counter, stopper;
static atomic_long taken, woken_idle;
static atomic_int ready, done;
static uint32_t mode;

static void add(int on, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    CHECK(epoll_ctl(on, EPOLL_CTL_ADD, descriptor, &event) == 0);
}

// Takes from the counter what comes, until the stopper is up; a queue of its own, or the shared one.
static void *take(void *shared) {
    int own = shared ? queue : epoll_create1(0);
    if (!shared) add(own, counter, EPOLLIN | mode), add(own, stopper, EPOLLIN);
    ready++;
    for (;;) {
        struct epoll_event event;
        int count = epoll_wait(own, &event, 1, -1);
        if (count != 1) return "wait";
        if (event.data.fd == stopper) break;
        uint64_t value;
        if (read(counter, &value, sizeof value) == 8) taken += (long)value;
        else woken_idle++;
    }
    done++;
    return !shared && close(own) ? "close" : NULL;
}

static void run(int shared, uint32_t events) {
    pthread_t threads[WAITERS];
    uint64_t one = 1;
    mode = events;
    taken = woken_idle = ready = done = 0;
    counter = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK), stopper = eventfd(0, 0), queue = epoll_create1(0);
    if (shared) add(queue, counter, EPOLLIN | events), add(queue, stopper, EPOLLIN);
    for (int index = 0; index < WAITERS; index++)
        threads[index] = start_thread(take, (void *)(intptr_t)shared);
    AWAIT(ready == WAITERS);
    // One at a time, each taken before the next, then all at once.
    for (int round = 1; round <= scaled(50); round++) {
        CHECK(write(counter, &one, sizeof one) == 8);
        AWAIT(taken == round);
    }
    int burst = (events & EPOLLET) ? 0 : scaled(500);
    for (int round = 0; round < burst; round++) REQUIRE(write(counter, &one, sizeof one) == 8);
    AWAIT(taken == scaled(50) + burst);
    CHECK(write(stopper, &one, sizeof one) == 8);
    for (int index = 0; index < WAITERS; index++) CHECK(join_thread(threads[index]) == NULL);
    CHECK(done == WAITERS && close(counter) == 0 && close(stopper) == 0 && close(queue) == 0);
}

static void shared_level(void) { run(1, 0); }
static void shared_edge(void) { run(1, EPOLLET); }
static void own_level(void) { run(0, 0); }
static void own_exclusive(void) { run(0, EPOLLEXCLUSIVE); }

static int ends[2];
static atomic_int once;

static void *rearm(void *unused) {
    // The pattern of servers: once only, served by whoever got it, then armed again.
    for (;;) {
        struct epoll_event event;
        if (epoll_wait(queue, &event, 1, -1) != 1) return "wait";
        if (event.data.fd == stopper) return (void)unused, NULL;
        if (atomic_exchange(&once, 1)) return "two had it at once";
        char byte;
        if (read(ends[0], &byte, 1) != 1) return "read";
        sched_yield();
        once = 0;
        taken++;
        event.events = EPOLLIN | EPOLLONESHOT;
        if (epoll_ctl(queue, EPOLL_CTL_MOD, ends[0], &event)) return "arm";
    }
}

static void one_shot(void) {
    pthread_t threads[WAITERS];
    uint64_t one = 1;
    make_pipe(ends, 0);
    queue = epoll_create1(0), stopper = eventfd(0, 0);
    taken = 0;
    once = 0;
    add(queue, ends[0], EPOLLIN | EPOLLONESHOT), add(queue, stopper, EPOLLIN);
    for (int index = 0; index < WAITERS; index++) threads[index] = start_thread(rearm, NULL);
    for (int round = 0; round < scaled(500); round++) put_byte(ends[1]);
    AWAIT(taken == scaled(500));
    CHECK(write(stopper, &one, sizeof one) == 8);
    for (int index = 0; index < WAITERS; index++) CHECK(join_thread(threads[index]) == NULL);
    close_pipe(ends);
    CHECK(close(queue) == 0 && close(stopper) == 0);
}

static void *add_while_waiting(void *unused) {
    struct epoll_event event;
    ready = 1;
    CHECK(epoll_wait(queue, &event, 1, -1) == 1 && event.data.fd == ends[0]);
    return unused;
}

static void added_while_waiting(void) {
    for (int round = 0; round < scaled(20); round++) {
        make_pipe(ends, 0);
        queue = epoll_create1(0);
        ready = 0;
        pthread_t thread = start_thread(add_while_waiting, NULL);
        AWAIT(ready);
        if (round % 2) pause_a_little();
        // Ready when it is added: those who wait already must hear of it.
        put_byte(ends[1]);
        add(queue, ends[0], EPOLLIN);
        join_thread(thread);
        close_pipe(ends);
        CHECK(close(queue) == 0);
    }
}

const struct test epoll_thread_tests[] = {
    {"epoll_shared_level", shared_level}, {"epoll_shared_edge", shared_edge},
    {"epoll_own_level", own_level},       {"epoll_own_exclusive", own_exclusive},
    {"epoll_one_shot", one_shot},         {"epoll_added_while_waiting", added_while_waiting},
    {NULL, NULL},
};
