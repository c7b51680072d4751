/* Signals, pipes and their kin inside one thread. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "operations.h"

static int reader, writer;
static uint64_t one = 1;
static char byte;

static void handle(int number)
{
    (void)number;
}

static void signal_ready(void)
{
    need(signal(SIGUSR1, handle) == SIG_ERR ? -1 : 0);
}

static void raise_handle(uint64_t rounds)
{
    REPEAT(rounds)
        need(-raise(SIGUSR1));
}

static void event_ready(void)
{
    reader = writer = (int)need(eventfd(0, 0));
}

static void event_write_read(uint64_t rounds)
{
    REPEAT(rounds) {
        need(write(writer, &one, sizeof one));
        need(read(reader, &one, sizeof one));
    }
}

static void pipe_ready(void)
{
    int ends[2];
    need(pipe(ends));
    reader = ends[0];
    writer = ends[1];
}

static void pipe_write_read(uint64_t rounds)
{
    REPEAT(rounds) {
        need(write(writer, &byte, 1));
        need(read(reader, &byte, 1));
    }
}

static void socket_ready(void)
{
    int ends[2];
    need(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    reader = ends[0];
    writer = ends[1];
}

static void socket_send_receive(uint64_t rounds)
{
    REPEAT(rounds) {
        need(send(writer, &byte, 1, 0));
        need(recv(reader, &byte, 1, 0));
    }
}

const struct operation event_calls[] = {
    { "raise-handle", signal_ready, 0, raise_handle, 0 },
    { "eventfd-write-read", event_ready, 0, event_write_read, 0 },
    { "pipe-write-read", pipe_ready, 0, pipe_write_read, 0 },
    { "unix-stream-send-recv", socket_ready, 0, socket_send_receive, 0 },
    { 0 },
};
