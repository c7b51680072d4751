// pipes.c: pipes among threads: blocking, whole small writes, ends that close (pipe(7)).
#include "tests.h"

#include <sys/ioctl.h>

static int ends[2];

static void flags(void) {
    char byte;
    make_pipe(ends, O_NONBLOCK | O_CLOEXEC);
    CHECK((fcntl(ends[0], F_GETFL) & O_NONBLOCK) && fcntl(ends[1], F_GETFD) == FD_CLOEXEC);
    CHECK_ERROR(read(ends[0], &byte, 1), EAGAIN);
    static char block[1 << 20];
    ssize_t count = write(ends[1], block, sizeof block);
    int waiting;
    CHECK(count >= 4096 && count < (ssize_t)sizeof block);
    CHECK_ERROR(write(ends[1], block, 1), EAGAIN);
    CHECK(ioctl(ends[0], FIONREAD, &waiting) == 0 && waiting == count);
    // Not all or nothing may be written above PIPE_BUF, but what is small is written whole.
    CHECK(read(ends[0], block, 4096) == 4096 && write(ends[1], block, 4096) == 4096);
    close_pipe(ends);
    CHECK_ERROR(pipe2(ends, O_APPEND), EINVAL);
}

static void ends_that_close(void) {
    char bytes[4];
    signal(SIGPIPE, SIG_IGN);
    make_pipe(ends, 0);
    put_byte(ends[1]);
    CHECK(close(ends[1]) == 0 && read(ends[0], bytes, 4) == 1 && read(ends[0], bytes, 4) == 0 && close(ends[0]) == 0);
    make_pipe(ends, 0);
    CHECK(close(ends[0]) == 0);
    CHECK_ERROR(write(ends[1], "x", 1), EPIPE);
    CHECK(close(ends[1]) == 0);
    signal(SIGPIPE, SIG_DFL);
}

static void *close_soon(void *unused) {
    pause_a_little();
    CHECK(close(ends[1]) == 0);
    return unused;
}

static void reader_sees_the_end(void) {
    for (int round = 0; round < scaled(20); round++) {
        char byte;
        make_pipe(ends, 0);
        pthread_t thread = start_thread(close_soon, NULL);
        CHECK(read(ends[0], &byte, 1) == 0);
        join_thread(thread);
        CHECK(close(ends[0]) == 0);
    }
}

enum { RECORD = 64, WRITERS = 8 };

static void *write_records(void *argument) {
    char record[RECORD];
    memset(record, 'a' + (int)(intptr_t)argument, sizeof record);
    for (int round = 0; round < scaled(500); round++)
        if (write(ends[1], record, sizeof record) != sizeof record) return "write";
    return NULL;
}

static void whole_records(void) {
    // Writes up to PIPE_BUF are never mixed with others'.
    pthread_t threads[WRITERS];
    long seen[WRITERS] = {0}, mixed = 0;
    make_pipe(ends, 0);
    for (intptr_t index = 0; index < WRITERS; index++) threads[index] = start_thread(write_records, (void *)index);
    for (int count = 0; count < WRITERS * scaled(500); count++) {
        char record[RECORD];
        for (ssize_t got = 0, more; got < RECORD; got += more) {
            more = read(ends[0], record + got, RECORD - got);
            REQUIRE(more > 0);
        }
        for (int index = 1; index < RECORD; index++) mixed += record[index] != record[0];
        REQUIRE(record[0] >= 'a' && record[0] < 'a' + WRITERS);
        seen[record[0] - 'a']++;
    }
    CHECK(mixed == 0);
    for (int index = 0; index < WRITERS; index++) {
        CHECK(join_thread(threads[index]) == NULL);
        CHECK(seen[index] == scaled(500));
    }
    close_pipe(ends);
}

static int there[2], back[2];

static void *echo(void *unused) {
    char byte;
    while (read(there[0], &byte, 1) == 1)
        if (write(back[1], &byte, 1) != 1) return "write";
    return (void)unused, NULL;
}

static void ping_pong(void) {
    make_pipe(there, 0), make_pipe(back, 0);
    pthread_t thread = start_thread(echo, NULL);
    for (int round = 0; round < scaled(3000); round++) {
        char byte = (char)round, got = 0;
        REQUIRE(write(there[1], &byte, 1) == 1 && read(back[0], &got, 1) == 1 && got == byte);
    }
    CHECK(close(there[1]) == 0 && join_thread(thread) == NULL && close(there[0]) == 0);
    close_pipe(back);
}

const struct test pipe_tests[] = {
    {"pipe_flags", flags},       {"pipe_ends_that_close", ends_that_close}, {"pipe_reader_sees_end", reader_sees_the_end},
    {"pipe_records", whole_records}, {"pipe_ping_pong", ping_pong},         {NULL, NULL},
};
