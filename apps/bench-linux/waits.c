/* What LEBench measures of sockets: sending and receiving by themselves, and asking many which are ready. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "operations.h"

/* A send of 96,000 bytes is LEBench's big one. */
enum { FEW = 10, MANY = 1000, LARGE = 96000 };

static char bytes[LARGE];
static int sender, receiver, length;

static void socket_pair(int bytes_of_a_message)
{
    int ends[2];
    need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    sender = ends[0];
    receiver = ends[1];
    length = bytes_of_a_message;
}

static void small_ready(void)
{
    socket_pair(1);
}

static void large_ready(void)
{
    socket_pair(LARGE);
}

static void drain(uint64_t rounds)
{
    (void)rounds;
    while (recv(receiver, bytes, LARGE, MSG_DONTWAIT) > 0) {
    }
}

static void need_all(long moved)
{
    if (need(moved) != length)
        missing(EIO);
}

static void send_all(uint64_t rounds)
{
    REPEAT(rounds)
        need_all(send(sender, bytes, length, MSG_DONTWAIT));
}

static void fill(uint64_t rounds)
{
    drain(rounds);
    send_all(rounds);
}

static void receive_all(uint64_t rounds)
{
    REPEAT(rounds)
        need_all(recv(receiver, bytes, length, MSG_DONTWAIT));
}

static void pair_end(void)
{
    need(close(sender));
    need(close(receiver));
}

static int sockets[MANY], epoll, count, highest;
static struct pollfd polled[MANY];
static struct epoll_event events[MANY];
static fd_set asked;

/* Unconnected sockets of TCP, which all are ready: they would answer an error. */
static void open_sockets(int wanted)
{
    FD_ZERO(&asked);
    epoll = (int)need(epoll_create1(0));
    for (count = 0, highest = 0; count < wanted; count++) {
        int opened = (int)need(socket(AF_INET, SOCK_STREAM, 0));
        struct epoll_event event = { .events = EPOLLIN, .data.fd = opened };
        sockets[count] = opened;
        highest = opened > highest ? opened : highest;
        polled[count] = (struct pollfd){ .fd = opened, .events = POLLIN };
        if (opened >= FD_SETSIZE)
            missing(EMFILE);
        FD_SET(opened, &asked);
        need(epoll_ctl(epoll, EPOLL_CTL_ADD, opened, &event));
    }
}

static void few_ready(void)
{
    open_sockets(FEW);
}

static void many_ready(void)
{
    open_sockets(MANY);
}

static void sockets_end(void)
{
    while (count > 0)
        need(close(sockets[--count]));
    need(close(epoll));
}

/* All have to be ready, or what is measured is something else. */
static void need_count(long ready)
{
    if (need(ready) != count)
        missing(EIO);
}

static void select_all(uint64_t rounds)
{
    REPEAT(rounds) {
        fd_set readable = asked;
        struct timeval at_once = { 0, 0 };
        need_count(select(highest + 1, &readable, 0, 0, &at_once));
    }
}

static void poll_all(uint64_t rounds)
{
    REPEAT(rounds)
        need_count(poll(polled, count, 0));
}

static void epoll_all(uint64_t rounds)
{
    REPEAT(rounds)
        need_count(epoll_wait(epoll, events, count, 0));
}

const struct operation send_calls[] = {
    { "send-1", small_ready, drain, send_all, pair_end },
    { "recv-1", small_ready, fill, receive_all, pair_end },
    { 0 },
};

const struct operation large_send_calls[] = {
    { "send-96000", large_ready, drain, send_all, pair_end },
    { "recv-96000", large_ready, fill, receive_all, pair_end },
    { 0 },
};

const struct operation wait_calls[] = {
    { "select-10", few_ready, 0, select_all, sockets_end },
    { "poll-10", few_ready, 0, poll_all, sockets_end },
    { "epoll-10", few_ready, 0, epoll_all, sockets_end },
    { "select-1000", many_ready, 0, select_all, sockets_end },
    { "poll-1000", many_ready, 0, poll_all, sockets_end },
    { "epoll-1000", many_ready, 0, epoll_all, sockets_end },
    { 0 },
};
