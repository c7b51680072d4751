// main.c: the system calls that ordinary programs of one process make: the table of contents.
//
// system-calls [--work PERCENT] [TEST...]
#include "tests.h"

static const struct test *const families[] = {
    socket_tests, connection_tests, refusal_tests, lock_tests, splice_tests, file_tests, watch_tests, seal_tests,
    attribute_tests, process_tests, right_tests, time_tests, special_tests, name_tests, segment_tests, semaphore_tests,
    message_tests, queue_tests, owner_tests, capability_tests, error_tests, rare_tests, request_tests,
    NULL,
};

int make_file(const char *contents) {
    char path[] = "/tmp/system-calls-XXXXXX";
    int file = mkstemp(path);
    CHECK(file >= 0 && unlink(path) == 0);
    CHECK(write(file, contents, strlen(contents)) == (ssize_t)strlen(contents) && lseek(file, 0, SEEK_SET) == 0);
    return file;
}

int main(int argc, char **argv) { return run_tests("system-calls", families, argc, argv); }
