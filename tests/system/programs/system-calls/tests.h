// tests.h: the families of this program's tests, a file each.
#pragma once
#include "../common/calls.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>

// A file with these contents that nobody else finds; it is gone when it is closed.
int make_file(const char *contents);

// Files' times are those of the last tick of a clock, every 10 ms at the slowest: the next ones differ.
static inline void tick(void) { nanosleep(&(struct timespec){0, 20000000}, NULL); }

extern const struct test socket_tests[], connection_tests[], refusal_tests[], lock_tests[], splice_tests[], file_tests[],
    watch_tests[], seal_tests[], attribute_tests[], process_tests[], right_tests[], time_tests[],
    special_tests[], name_tests[], segment_tests[], semaphore_tests[], message_tests[], queue_tests[],
    owner_tests[], capability_tests[], error_tests[], rare_tests[], request_tests[];
