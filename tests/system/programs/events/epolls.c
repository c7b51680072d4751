// epolls.c: epoll in each mode: level, edge, once only, nested, and its errors (epoll(7)).
#include "tests.h"

#include <sys/eventfd.h>

static int queue, ends[2];

static int change(int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.u64 = 0x1234567800000000 + descriptor};
    return epoll_ctl(queue, operation, descriptor, &event);
}

// The events of the only descriptor that is ready, 0 if none is.
static uint32_t ask(int descriptor) {
    struct epoll_event events[4];
    int count = epoll_wait(queue, events, 4, 0);
    CHECK(count == 0 || (count == 1 && events[0].data.u64 == 0x1234567800000000u + descriptor));
    return count ? events[0].events : 0;
}

static void begin(uint32_t events) {
    queue = epoll_create1(EPOLL_CLOEXEC);
    CHECK(queue >= 0 && fcntl(queue, F_GETFD) == FD_CLOEXEC);
    make_pipe(ends, O_NONBLOCK);
    CHECK(change(EPOLL_CTL_ADD, ends[0], events) == 0);
}

static void end(void) {
    close_pipe(ends);
    CHECK(close(queue) == 0);
}

static void level(void) {
    begin(EPOLLIN);
    CHECK(ask(ends[0]) == 0);
    put_byte(ends[1]), put_byte(ends[1]);
    CHECK(ask(ends[0]) == EPOLLIN && ask(ends[0]) == EPOLLIN);
    take_byte(ends[0]);
    CHECK(ask(ends[0]) == EPOLLIN);
    take_byte(ends[0]);
    CHECK(ask(ends[0]) == 0 && change(EPOLL_CTL_ADD, ends[1], EPOLLOUT) == 0 && ask(ends[1]) == EPOLLOUT);
    CHECK(change(EPOLL_CTL_MOD, ends[1], 0) == 0 && ask(ends[1]) == 0 && change(EPOLL_CTL_DEL, ends[1], 0) == 0);
    end();
}

static void edge(void) {
    begin(EPOLLIN | EPOLLET);
    CHECK(ask(ends[0]) == 0);
    put_byte(ends[1]);
    CHECK(ask(ends[0]) == EPOLLIN && ask(ends[0]) == 0);
    // Each further write is an edge, also while bytes are left.
    put_byte(ends[1]);
    CHECK(ask(ends[0]) == EPOLLIN && ask(ends[0]) == 0);
    take_byte(ends[0]);
    CHECK(ask(ends[0]) == 0);
    // A change of the interest looks anew.
    CHECK(change(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET) == 0 && ask(ends[0]) == EPOLLIN && ask(ends[0]) == 0);
    take_byte(ends[0]);
    end();
}

static void once_only(void) {
    begin(EPOLLIN | EPOLLONESHOT);
    put_byte(ends[1]);
    CHECK(ask(ends[0]) == EPOLLIN && ask(ends[0]) == 0);
    put_byte(ends[1]);
    CHECK(ask(ends[0]) == 0 && change(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLONESHOT) == 0 && ask(ends[0]) == EPOLLIN);
    CHECK(ask(ends[0]) == 0);
    end();
}

static void ends_that_close(void) {
    begin(EPOLLIN);
    CHECK(close(ends[1]) == 0 && ask(ends[0]) == EPOLLHUP && close(ends[0]) == 0);
    // A descriptor that is closed is no longer asked for.
    CHECK(ask(ends[0]) == 0);
    make_pipe(ends, 0);
    CHECK(change(EPOLL_CTL_ADD, ends[1], EPOLLOUT) == 0 && close(ends[0]) == 0);
    CHECK(ask(ends[1]) == (EPOLLOUT | EPOLLERR) && close(ends[1]) == 0 && close(queue) == 0);
}

static void nested(void) {
    begin(EPOLLIN);
    int inner = queue, outer = epoll_create1(0);
    queue = outer;
    CHECK(change(EPOLL_CTL_ADD, inner, EPOLLIN) == 0 && ask(inner) == 0);
    put_byte(ends[1]);
    CHECK(ask(inner) == EPOLLIN);
    struct pollfd wanted = {outer, POLLIN, 0};
    CHECK(poll(&wanted, 1, 0) == 1 && wanted.revents == POLLIN);
    take_byte(ends[0]);
    CHECK(ask(inner) == 0);
    // A circle is refused.
    queue = inner;
    CHECK_ERROR(change(EPOLL_CTL_ADD, outer, EPOLLIN), ELOOP);
    CHECK_ERROR(change(EPOLL_CTL_ADD, inner, EPOLLIN), EINVAL);
    end();
    CHECK(close(outer) == 0);
}

static void errors(void) {
    struct epoll_event events[2];
    begin(EPOLLIN);
    CHECK_ERROR(change(EPOLL_CTL_ADD, ends[0], EPOLLIN), EEXIST);
    CHECK_ERROR(change(EPOLL_CTL_MOD, ends[1], EPOLLIN), ENOENT);
    CHECK_ERROR(change(EPOLL_CTL_DEL, ends[1], EPOLLIN), ENOENT);
    CHECK_ERROR(change(EPOLL_CTL_ADD, 999, EPOLLIN), EBADF);
    CHECK_ERROR(change(77, ends[1], EPOLLIN), EINVAL);
    CHECK_ERROR(epoll_wait(queue, events, 0, 0), EINVAL);
    CHECK_ERROR(epoll_wait(ends[0], events, 1, 0), EINVAL);
    CHECK_ERROR(epoll_create1(1), EINVAL);
    CHECK_ERROR(syscall(SYS_epoll_create, 0), EINVAL);
    // Exclusive waits cannot be changed, nor be once only.
    CHECK_ERROR(change(EPOLL_CTL_ADD, ends[1], EPOLLOUT | EPOLLEXCLUSIVE | EPOLLONESHOT), EINVAL);
    CHECK_ERROR(change(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLEXCLUSIVE), EINVAL);
    int file = (int)syscall(SYS_memfd_create, "file", 0);
    CHECK_ERROR(change(EPOLL_CTL_ADD, file, EPOLLIN), EPERM);
    CHECK(close(file) == 0);
    struct timespec limit = after(CLOCK_MONOTONIC, 4);
    CHECK(epoll_wait(queue, events, 1, 4) == 0 && not_before(after(CLOCK_MONOTONIC, 0), limit));
    end();
}

static void many(void) {
    // More are ready than fit: those left out come first the next time, so that all have their turn.
    enum { COUNT = 64 };
    int counters[COUNT];
    char seen[COUNT] = {0};
    queue = epoll_create1(0);
    for (int index = 0; index < COUNT; index++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
        counters[index] = eventfd(1, 0);
        CHECK(counters[index] >= 0 && epoll_ctl(queue, EPOLL_CTL_ADD, counters[index], &event) == 0);
    }
    for (int turn = 0; turn < COUNT / 8; turn++) {
        struct epoll_event events[8];
        CHECK(epoll_wait(queue, events, 8, 0) == 8);
        for (int index = 0; index < 8; index++) seen[events[index].data.u32]++;
    }
    int once_each = 0;
    for (int index = 0; index < COUNT; index++) once_each += seen[index] == 1;
    CHECK(once_each == COUNT);
    for (int index = 0; index < COUNT; index++) CHECK(close(counters[index]) == 0);
    CHECK(close(queue) == 0);
}

static void many_leave(void) {
    // Places of those that left are found again, and nobody else's are lost; ready ones leave as others do.
    enum { COUNT = 600 };
    int counters[COUNT], told = 0;
    queue = epoll_create1(0);
    for (int index = 0; index < COUNT; index++) {
        CHECK((counters[index] = eventfd(index % 3 == 0, 0)) >= 0 && change(EPOLL_CTL_ADD, counters[index], EPOLLIN) == 0);
    }
    for (int index = 0; index < COUNT; index += 2) {
        if (index % 4 == 0) CHECK(close(counters[index]) == 0);
        else CHECK(change(EPOLL_CTL_DEL, counters[index], 0) == 0);
    }
    for (int index = 2; index < COUNT; index += 4) {
        CHECK_ERROR(change(EPOLL_CTL_MOD, counters[index], EPOLLIN), ENOENT);
        CHECK(change(EPOLL_CTL_ADD, counters[index], EPOLLIN) == 0);
        CHECK_ERROR(change(EPOLL_CTL_ADD, counters[index], EPOLLIN), EEXIST);
    }
    struct epoll_event events[COUNT];
    for (int index = 0; index < COUNT; index++) told += index % 4 != 0 && index % 3 == 0;
    CHECK(epoll_wait(queue, events, COUNT, 0) == told);
    for (int index = 0; index < COUNT; index++) if (index % 4 != 0) CHECK(close(counters[index]) == 0);
    CHECK(epoll_wait(queue, events, COUNT, 0) == 0 && close(queue) == 0);
}

const struct test epoll_tests[] = {
    {"epoll_level", level},   {"epoll_edge", edge},     {"epoll_once_only", once_only},
    {"epoll_ends_that_close", ends_that_close}, {"epoll_nested", nested},
    {"epoll_errors", errors}, {"epoll_many", many}, {"epoll_many_leave", many_leave}, {NULL, NULL},
};
