// sockets.c: the events that only sockets have (EPOLLRDHUP in epoll_ctl(2)).
#include "tests.h"

#include <sys/socket.h>

static uint32_t ask(int queue) {
    struct epoll_event event;
    return epoll_wait(queue, &event, 1, 0) == 1 ? event.events : 0;
}

static void half_closed(void) {
    int pair[2];
    char byte;
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP};
    int queue = epoll_create1(0);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    CHECK(epoll_ctl(queue, EPOLL_CTL_ADD, pair[0], &event) == 0 && ask(queue) == 0);
    CHECK(shutdown(pair[1], SHUT_WR) == 0 && ask(queue) == (EPOLLIN | EPOLLRDHUP));
    CHECK(read(pair[0], &byte, 1) == 0 && write(pair[0], "x", 1) == 1 && read(pair[1], &byte, 1) == 1);
    CHECK(close(pair[1]) == 0 && ask(queue) == (EPOLLIN | EPOLLRDHUP | EPOLLHUP));
    CHECK(close(pair[0]) == 0 && close(queue) == 0);
}

const struct test socket_tests[] = {{"epoll_half_closed", half_closed}, {NULL, NULL}};
