// polls.c: poll, ppoll, select and pselect6 on pipes, with and without time limits (poll(2), select(2)).
#include "tests.h"

#include <sys/select.h>

static int ends[2];

static short ask(int descriptor, short events) {
    struct pollfd wanted = {descriptor, events, 0x7fff};
    int count = poll(&wanted, 1, 0);
    CHECK(count == (wanted.revents != 0));
    return wanted.revents;
}

static void states(void) {
    make_pipe(ends, 0);
    CHECK(ask(ends[0], POLLIN) == 0 && ask(ends[1], POLLOUT) == POLLOUT);
    put_byte(ends[1]);
    CHECK(ask(ends[0], POLLIN | POLLRDNORM) == (POLLIN | POLLRDNORM) && ask(ends[0], POLLOUT) == 0);
    CHECK(close(ends[1]) == 0 && ask(ends[0], POLLIN) == (POLLIN | POLLHUP));
    take_byte(ends[0]);
    CHECK(ask(ends[0], 0) == POLLHUP && close(ends[0]) == 0);
    make_pipe(ends, 0);
    CHECK(close(ends[0]) == 0 && (ask(ends[1], POLLOUT) & POLLERR) && close(ends[1]) == 0);
    CHECK(ask(999, POLLIN) == POLLNVAL && ask(-1, POLLIN) == 0);
}

static void limits(void) {
    struct pollfd wanted;
    make_pipe(ends, 0);
    wanted = (struct pollfd){ends[0], POLLIN, 0};
    struct timespec end = after(CLOCK_MONOTONIC, 4), time = {0, 4000000}, wrong = {0, 1000000000};
    CHECK(poll(&wanted, 1, 4) == 0 && not_before(after(CLOCK_MONOTONIC, 0), end));
    end = after(CLOCK_MONOTONIC, 4);
    CHECK(ppoll(&wanted, 1, &time, NULL) == 0 && not_before(after(CLOCK_MONOTONIC, 0), end));
    CHECK_ERROR(ppoll(&wanted, 1, &wrong, NULL), EINVAL);
    CHECK(poll(NULL, 0, 1) == 0);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    struct timeval shorter = {0, 4000};
    end = after(CLOCK_MONOTONIC, 4);
    // Linux writes back what was left of the time; musl's function gives it a copy.
    CHECK(syscall(SYS_select, ends[0] + 1, &set, NULL, NULL, &shorter) == 0 && !FD_ISSET(ends[0], &set));
    CHECK(not_before(after(CLOCK_MONOTONIC, 0), end) && shorter.tv_usec == 0);
    shorter.tv_usec = 2000;
    CHECK(select(0, NULL, NULL, NULL, &shorter) == 0);
    end = after(CLOCK_MONOTONIC, 4);
    FD_SET(ends[0], &set);
    CHECK(pselect(ends[0] + 1, &set, NULL, NULL, &time, NULL) == 0 && not_before(after(CLOCK_MONOTONIC, 0), end));
    close_pipe(ends);
}

static void selecting(void) {
    int pipes[8][2];
    fd_set readable, writable;
    for (int index = 0; index < 8; index++) make_pipe(pipes[index], 0);
    put_byte(pipes[3][1]), put_byte(pipes[6][1]);
    FD_ZERO(&readable);
    FD_ZERO(&writable);
    for (int index = 0; index < 8; index++) {
        FD_SET(pipes[index][0], &readable);
        FD_SET(pipes[index][1], &writable);
    }
    CHECK(select(pipes[7][1] + 1, &readable, &writable, NULL, NULL) == 10);
    for (int index = 0; index < 8; index++) {
        CHECK(!FD_ISSET(pipes[index][0], &readable) == (index != 3 && index != 6));
        CHECK(FD_ISSET(pipes[index][1], &writable));
    }
    FD_SET(pipes[7][1] + 1, &readable);
    CHECK_ERROR(select(pipes[7][1] + 2, &readable, NULL, NULL, NULL), EBADF);
    CHECK_ERROR(select(-1, NULL, NULL, NULL, NULL), EINVAL);
    for (int index = 0; index < 8; index++) close_pipe(pipes[index]);
}

static void *feed(void *unused) {
    pause_a_little();
    put_byte(ends[1]);
    return unused;
}

static void woken(void) {
    make_pipe(ends, 0);
    for (int round = 0; round < scaled(20); round++) {
        pthread_t thread = start_thread(feed, NULL);
        fd_set set;
        FD_ZERO(&set);
        FD_SET(ends[0], &set);
        struct pollfd wanted = {ends[0], POLLIN, 0};
        if (round % 2) CHECK(poll(&wanted, 1, -1) == 1 && wanted.revents == POLLIN);
        else CHECK(pselect(ends[0] + 1, &set, NULL, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &set));
        take_byte(ends[0]);
        join_thread(thread);
    }
    close_pipe(ends);
}

static atomic_int ready, seen;

static void *wait_by_poll(void *unused) {
    struct pollfd wanted = {ends[0], POLLIN, 0};
    ready++;
    CHECK(poll(&wanted, 1, -1) == 1 && (wanted.revents & POLLHUP));
    seen++;
    return unused;
}

static void all_are_woken(void) {
    pthread_t threads[16];
    make_pipe(ends, 0);
    ready = seen = 0;
    for (int index = 0; index < 16; index++) threads[index] = start_thread(wait_by_poll, NULL);
    AWAIT(ready == 16);
    pause_a_little();
    CHECK(seen == 0 && close(ends[1]) == 0);
    for (int index = 0; index < 16; index++) join_thread(threads[index]);
    CHECK(seen == 16 && close(ends[0]) == 0);
}

const struct test poll_tests[] = {
    {"poll_states", states}, {"poll_limits", limits}, {"select", selecting},
    {"poll_woken", woken},   {"poll_all_are_woken", all_are_woken}, {NULL, NULL},
};
