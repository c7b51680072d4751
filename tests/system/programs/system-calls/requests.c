// requests.c: reading and writing by requests (io_submit(2)), as libaio asks for it.
#include "tests.h"
#include <sys/eventfd.h>

// struct iocb and struct io_event of linux/aio_abi.h, which musl's compiler does not find.
struct request {
    uint64_t data;
    uint32_t key, rw_flags;
    uint16_t operation;
    int16_t priority;
    uint32_t file;
    uint64_t buffer, bytes;
    int64_t offset;
    uint64_t reserved;
    uint32_t flags, tell;
};

struct event {
    uint64_t data, request;
    int64_t result, more;
};

enum { READ = 0, WRITE = 1, SYNC = 2, DATA_SYNC = 3, POLL = 5, READ_VECTOR = 7, WRITE_VECTOR = 8, TELLS = 1 };

static unsigned long context;

static long submit(struct request *request) {
    struct request *list[] = {request};
    return syscall(SYS_io_submit, context, 1L, list);
}

static long events(long least, long most, struct event *found, struct timespec *limit) {
    return syscall(SYS_io_getevents, context, least, most, found, limit);
}

// What the request came to, when it is done.
static long result(struct request request) {
    struct event event = {0};
    request.data = 77;
    REQUIRE(submit(&request) == 1 && events(1, 1, &event, NULL) == 1);
    REQUIRE(event.data == 77 && event.request == (uintptr_t)&request && event.more == 0);
    return event.result;
}

static struct request ask(int operation, int file, const void *buffer, size_t bytes, long offset) {
    return (struct request){
        .operation = operation, .file = file, .buffer = (uintptr_t)buffer, .bytes = bytes, .offset = offset};
}

static void contexts(void) {
    unsigned long other = 0;
    struct event event;
    CHECK_ERROR(syscall(SYS_io_setup, 0, &other), EINVAL);
    CHECK_ERROR(syscall(SYS_io_setup, 1, NULL), EFAULT);
    other = 5;
    CHECK_ERROR(syscall(SYS_io_setup, 1, &other), EINVAL);
    CHECK_ERROR(syscall(SYS_io_getevents, 0x5000, 0L, 1L, &event, NULL), EINVAL);
    CHECK_ERROR(syscall(SYS_io_destroy, 0x5000), EINVAL);
    CHECK_ERROR(syscall(SYS_io_submit, 0x5000, 0L, NULL), EINVAL);
    other = 0;
    CHECK(syscall(SYS_io_setup, 8, &other) == 0 && other != 0);
    // Libraries look here for a ring: it can be read.
    CHECK(*(volatile uint32_t *)(other + 16) == 0xa10a10a1 || *(volatile uint32_t *)(other + 16) == 0);
    CHECK(syscall(SYS_io_destroy, other) == 0);
    CHECK_ERROR(syscall(SYS_io_destroy, other), EINVAL);
}

static void reads_and_writes(void) {
    CHECK(syscall(SYS_io_setup, 64, &context) == 0);
    int file = make_file("0123456789");
    char buffer[32] = "";
    CHECK(result(ask(READ, file, buffer, 4, 3)) == 4 && memcmp(buffer, "3456", 4) == 0);
    CHECK(result(ask(READ, file, buffer, 32, 8)) == 2 && result(ask(READ, file, buffer, 32, 100)) == 0);
    CHECK(result(ask(WRITE, file, "abc", 3, 8)) == 3 && pread(file, buffer, 32, 0) == 11);
    CHECK(memcmp(buffer, "01234567abc", 11) == 0 && lseek(file, 0, SEEK_CUR) == 0);
    struct iovec pieces[] = {{buffer, 2}, {buffer + 10, 3}};
    CHECK(result(ask(READ_VECTOR, file, pieces, 2, 5)) == 5);
    CHECK(memcmp(buffer, "56", 2) == 0 && memcmp(buffer + 10, "7ab", 3) == 0);
    CHECK(result(ask(WRITE_VECTOR, file, pieces, 2, 0)) == 5 && pread(file, buffer, 6, 0) == 6);
    CHECK(memcmp(buffer, "567ab5", 6) == 0);
    CHECK(result(ask(SYNC, file, NULL, 0, 0)) == 0 && result(ask(DATA_SYNC, file, NULL, 0, 0)) == 0);
    CHECK(result(ask(READ, file, (void *)8, 4, 0)) == -EFAULT);
    int reader = open("/proc/self/exe", O_RDONLY);
    struct request bad = ask(WRITE, reader, "x", 1, 0);
    CHECK_ERROR(submit(&bad), EBADF);
    bad = ask(READ, -1, buffer, 1, 0);
    CHECK_ERROR(submit(&bad), EBADF);
    bad = ask(READ, file, buffer, 1, -1);
    CHECK_ERROR(submit(&bad), EINVAL);
    bad = ask(99, file, buffer, 1, 0);
    CHECK_ERROR(submit(&bad), EINVAL);
    bad = ask(SYNC, file, buffer, 1, 0);
    CHECK_ERROR(submit(&bad), EINVAL);
    bad = ask(READ, file, buffer, -1, 0);
    CHECK_ERROR(submit(&bad), EINVAL);
    CHECK_ERROR(syscall(SYS_io_submit, context, 1L, NULL), EFAULT);
    CHECK_ERROR(syscall(SYS_io_submit, context, -1L, NULL), EINVAL);
    // The second is refused: the first was taken.
    struct request good = ask(READ, file, buffer, 2, 0), *both[] = {&good, &bad};
    struct event found[4];
    CHECK(syscall(SYS_io_submit, context, 2L, both) == 1 && events(1, 4, found, NULL) == 1 && found[0].result == 2);
    int ends[2];
    CHECK(pipe(ends) == 0 && result(ask(WRITE, ends[1], "xyz", 3, 0)) == 3);
    CHECK(result(ask(READ, ends[0], buffer, 32, 0)) == 3 && memcmp(buffer, "xyz", 3) == 0);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0 && close(file) == 0 && close(reader) == 0);
    CHECK(syscall(SYS_io_destroy, context) == 0), context = 0;
}

static void waits(void) {
    struct event found[4];
    struct timespec none = {0, 0}, little = {0, 1000000};
    CHECK(syscall(SYS_io_setup, 64, &context) == 0);
    int counter = eventfd(0, 0), file = make_file("0123456789");
    char buffer[8];
    CHECK(events(0, 4, found, &none) == 0 && events(1, 4, found, &none) == 0 && events(1, 4, found, &little) == 0);
    CHECK_ERROR(events(2, 1, found, NULL), EINVAL);
    CHECK_ERROR(events(-1, 1, found, NULL), EINVAL);
    struct request first = ask(READ, file, buffer, 2, 0), second = ask(READ, file, buffer, 3, 0);
    first.flags = second.flags = TELLS, first.tell = second.tell = counter, second.data = 9;
    struct request *both[] = {&first, &second};
    CHECK(syscall(SYS_io_submit, context, 2L, both) == 2);
    uint64_t count = 0;
    CHECK(read(counter, &count, 8) == 8 && count == 2);
    CHECK(events(2, 4, found, NULL) == 2 && found[0].result == 2 && found[1].result == 3 && found[1].data == 9);
    first.tell = file;
    CHECK_ERROR(submit(&first), EINVAL);
    first.tell = -1;
    CHECK_ERROR(submit(&first), EBADF);
    sigset_t mask;
    sigemptyset(&mask);
    struct { const void *set; size_t size; } masked = {&mask, 8};
    first.flags = 0;
    CHECK(submit(&first) == 1 && syscall(SYS_io_pgetevents, context, 1L, 4L, found, NULL, &masked) == 1);
    CHECK(syscall(SYS_io_pgetevents, context, 1L, 4L, found, &none, NULL) == 0);
    CHECK(close(counter) == 0 && close(file) == 0 && syscall(SYS_io_destroy, context) == 0), context = 0;
}

static int ends[2];

static void *writer(void *argument) {
    pause_a_little();
    REQUIRE(write(ends[1], "x", 1) == 1);
    return argument;
}

static void polls(void) {
    struct event found[4];
    struct timespec none = {0, 0};
    CHECK(syscall(SYS_io_setup, 64, &context) == 0 && pipe(ends) == 0);
    CHECK(result(ask(POLL, ends[1], (void *)POLLOUT, 0, 0)) & POLLOUT);
    struct request wait = ask(POLL, ends[0], (void *)POLLIN, 0, 0);
    CHECK(submit(&wait) == 1 && events(1, 1, found, &none) == 0);
    pthread_t thread = start_thread(writer, NULL);
    CHECK(events(1, 1, found, NULL) == 1 && (found[0].result & POLLIN) != 0 && found[0].request == (uintptr_t)&wait);
    join_thread(thread);
    char byte;
    CHECK(read(ends[0], &byte, 1) == 1);
    CHECK_ERROR(syscall(SYS_io_cancel, context, &wait, found), EINVAL);
    CHECK(submit(&wait) == 1);
    CHECK_ERROR(syscall(SYS_io_cancel, context, &wait, found), EINPROGRESS);
    CHECK(events(1, 1, found, NULL) == 1 && found[0].result == 0);
    // One that is left goes with its context.
    CHECK(submit(&wait) == 1 && syscall(SYS_io_destroy, context) == 0), context = 0;
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

const struct test request_tests[] = {
    {"requests_contexts", contexts},
    {"requests_reads_and_writes", reads_and_writes},
    {"requests_waits", waits},
    {"requests_polls", polls},
    {NULL, NULL},
};
