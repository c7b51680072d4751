// tests.h: the families of this program's tests, a file each.
#pragma once
#include "../common/calls.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/time.h>

// A pipe's ends: what is written to 1 is read from 0.
void make_pipe(int ends[2], int flags);
void close_pipe(int ends[2]);
void put_byte(int descriptor);
void take_byte(int descriptor);

extern const struct test clock_tests[], vdso_tests[], sleep_tests[], timer_tests[], descriptor_tests[], pipe_tests[], poll_tests[],
    epoll_tests[], epoll_thread_tests[], socket_tests[];
