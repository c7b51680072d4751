// main.c: clocks, timers, and descriptors that wait for events: the table of contents.
//
// events [--work PERCENT] [TEST...]
#include "tests.h"

static const struct test *const families[] = {
    clock_tests, vdso_tests, sleep_tests, timer_tests, descriptor_tests, pipe_tests, poll_tests, epoll_tests, epoll_thread_tests,
    socket_tests, NULL,
};

void make_pipe(int ends[2], int flags) { CHECK(pipe2(ends, flags) == 0); }
void close_pipe(int ends[2]) { CHECK(close(ends[0]) == 0 && close(ends[1]) == 0); }
void put_byte(int descriptor) { CHECK(write(descriptor, "x", 1) == 1); }

void take_byte(int descriptor) {
    char byte = 0;
    CHECK(read(descriptor, &byte, 1) == 1 && byte == 'x');
}

int main(int argc, char **argv) {
    return run_tests("events", families, argc, argv);
}
