/*
 * Sockets over the machine's own loopback, both ends in one thread: what a call costs, and with it what the network does
 * before the call is back. Messages have 64 bytes.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "operations.h"

enum { LENGTH = 64, MANY = 50, MOST = 900 };

static int listener, epoll, sender, receiver;
/* Ends of connections that one sample opened and the next closes. */
static int clients[MOST], servers[MOST];
static uint64_t client_count, server_count;
static struct sockaddr_in address;
static char message[LENGTH];

static int made(int type)
{
    return (int)need(socket(AF_INET, type | SOCK_CLOEXEC, 0));
}

/* A socket at a port of the loopback's that is free, whose address is then `address`. */
static int bound(int type)
{
    int descriptor = made(type);
    socklen_t length = sizeof address;
    address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    need(bind(descriptor, (struct sockaddr *)&address, sizeof address));
    need(getsockname(descriptor, (struct sockaddr *)&address, &length));
    return descriptor;
}

static void join(int descriptor)
{
    need(connect(descriptor, (struct sockaddr *)&address, sizeof address));
}

/* All or nothing, at once: what must wait or does not fit is told, rather than a figure that lies. */
static void whole(ssize_t length)
{
    if (need(length) != LENGTH)
        missing(EMSGSIZE);
}

static void put(int descriptor)
{
    whole(send(descriptor, message, LENGTH, MSG_DONTWAIT));
}

static void take(int descriptor)
{
    whole(recv(descriptor, message, LENGTH, MSG_DONTWAIT));
}

static void empty(int descriptor)
{
    char rest[4096];
    while (recv(descriptor, rest, sizeof rest, MSG_DONTWAIT) > 0)
        ;
}

static void datagrams_ready(void)
{
    receiver = bound(SOCK_DGRAM);
    sender = made(SOCK_DGRAM);
    join(sender);
}

static void listener_ready(void)
{
    listener = bound(SOCK_STREAM);
    need(listen(listener, MOST));
}

/* A connection without Nagle's wait, as servers set it. */
static void stream_ready(void)
{
    int yes = 1;
    listener_ready();
    sender = made(SOCK_STREAM);
    join(sender);
    receiver = (int)need(accept(listener, 0, 0));
    need(setsockopt(sender, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes));
    need(setsockopt(receiver, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes));
}

static void none_under_way(uint64_t rounds)
{
    (void)rounds;
    empty(receiver);
}

static void as_many_under_way(uint64_t rounds)
{
    empty(receiver);
    REPEAT(rounds)
        put(sender);
}

static void send_alone(uint64_t rounds)
{
    REPEAT(rounds)
        put(sender);
}

static void receive_alone(uint64_t rounds)
{
    REPEAT(rounds)
        take(receiver);
}

static void send_receive(uint64_t rounds)
{
    REPEAT(rounds) {
        put(sender);
        take(receiver);
    }
}

static void watch(int descriptor)
{
    struct epoll_event event = { .events = EPOLLIN, .data.fd = descriptor };
    need(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event));
}

static void set_ready(void)
{
    epoll = (int)need(epoll_create1(EPOLL_CLOEXEC));
}

/* So many sockets that something waits for. */
static void all_have_something(unsigned count)
{
    set_ready();
    for (unsigned index = 0; index < count; index++) {
        datagrams_ready();
        put(sender);
        watch(receiver);
    }
}

static void one_has_something(void)
{
    all_have_something(1);
}

static void many_have_something(void)
{
    all_have_something(MANY);
}

static void wait_for(uint64_t rounds, int count)
{
    struct epoll_event events[MANY];
    REPEAT(rounds)
        if (need(epoll_wait(epoll, events, MANY, -1)) != count)
            missing(ENOENT);
}

static void wait_for_one(uint64_t rounds)
{
    wait_for(rounds, 1);
}

static void wait_for_many(uint64_t rounds)
{
    wait_for(rounds, MANY);
}

static void served_ready(void)
{
    stream_ready();
    set_ready();
    watch(receiver);
}

/* A request and its answer: three of the calls are the server's, and two the client's. */
static void request_served(uint64_t rounds)
{
    struct epoll_event event;
    REPEAT(rounds) {
        put(sender);
        if (need(epoll_wait(epoll, &event, 1, -1)) != 1)
            missing(ENOENT);
        take(event.data.fd);
        put(event.data.fd);
        take(sender);
    }
}

/* Closes what the last sample opened, clients first, and makes as many sockets anew. */
static void clients_anew(uint64_t rounds)
{
    if (rounds > MOST)
        missing(EMFILE);
    while (client_count > 0)
        need(close(clients[--client_count]));
    while (server_count > 0)
        need(close(servers[--server_count]));
    while (client_count < rounds)
        clients[client_count++] = made(SOCK_STREAM);
}

/* Nobody has accepted what the last sample connected. */
static void strangers(uint64_t rounds)
{
    for (uint64_t count = client_count; count > 0; count--)
        servers[server_count++] = (int)need(accept(listener, 0, 0));
    clients_anew(rounds);
}

static void connect_all(uint64_t rounds)
{
    for (uint64_t index = 0; index < rounds; index++)
        join(clients[index]);
}

static void connected(uint64_t rounds)
{
    clients_anew(rounds);
    connect_all(rounds);
}

static void accept_close(uint64_t rounds)
{
    REPEAT(rounds)
        need(close((int)need(accept(listener, 0, 0))));
}

static void nothing_to_do(void)
{
}

const struct operation socket_calls[] = {
    { "getppid", nothing_to_do, 0, getppid_direct, 0 },
    { "udp-send", datagrams_ready, none_under_way, send_alone, 0 },
    { "udp-recv", datagrams_ready, as_many_under_way, receive_alone, 0 },
    { "udp-send-recv", datagrams_ready, 0, send_receive, 0 },
    { "tcp-send", stream_ready, none_under_way, send_alone, 0 },
    { "tcp-recv", stream_ready, as_many_under_way, receive_alone, 0 },
    { "tcp-send-recv", stream_ready, 0, send_receive, 0 },
    { "epoll-wait-1", one_has_something, 0, wait_for_one, 0 },
    { "epoll-wait-50", many_have_something, 0, wait_for_many, 0 },
    { "connect", listener_ready, strangers, connect_all, 0 },
    { "accept-close", listener_ready, connected, accept_close, 0 },
    { "tcp-epoll-request", served_ready, 0, request_served, 0 },
    { 0 },
};
