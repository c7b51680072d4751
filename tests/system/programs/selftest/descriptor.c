// descriptor.c: file descriptors, pipes, and waiting for them with poll(2) and select(2).
#include "check.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <time.h>

static const char *duplicates(void) {
    int file = open("duplicated", O_RDWR | O_CREAT, 0600);
    int second = dup(file);
    REQUIRE(second > file && write(file, "abc", 3) == 3 && lseek(second, 0, SEEK_CUR) == 3);
    REQUIRE(dup2(file, 50) == 50 && fcntl(50, F_GETFD) == 0);
    REQUIRE(fcntl(file, F_DUPFD_CLOEXEC, 60) >= 60);
    REQUIRE(dup3(file, 61, O_CLOEXEC) == 61 && fcntl(61, F_GETFD) == FD_CLOEXEC);
    REQUIRE(dup2(file, file) == file);
    REQUIRE_ERROR(dup3(file, file, 0), EINVAL);
    REQUIRE_ERROR(dup(999), EBADF);
    REQUIRE_ERROR(dup2(file, -1), EBADF);
    REQUIRE(fcntl(file, F_SETFD, FD_CLOEXEC) == 0 && fcntl(file, F_GETFD) == FD_CLOEXEC && fcntl(second, F_GETFD) == 0);
    REQUIRE((fcntl(file, F_GETFL) & O_ACCMODE) == O_RDWR);
    REQUIRE(fcntl(file, F_SETFL, O_APPEND) == 0 && (fcntl(second, F_GETFL) & O_APPEND));
    close(50), close(60), close(61), close(second);
    REQUIRE(close(file) == 0);
    // The lowest free number is given.
    int lowest = open("/dev/null", O_RDONLY);
    close(lowest);
    REQUIRE(open("/dev/null", O_RDONLY) == lowest && close(lowest) == 0);
    return NULL;
}

static const char *pipe_bytes(void) {
    int ends[2];
    char text[16];
    REQUIRE(pipe(ends) == 0 && write(ends[1], "hello", 5) == 5 && read(ends[0], text, 3) == 3);
    REQUIRE(read(ends[0], text, sizeof text) == 2 && memcmp(text, "lo", 2) == 0);
    REQUIRE_ERROR(write(ends[0], "x", 1), EBADF);
    REQUIRE_ERROR(lseek(ends[0], 0, SEEK_SET), ESPIPE);
    REQUIRE(write(ends[1], "end", 3) == 3 && close(ends[1]) == 0);
    REQUIRE(read(ends[0], text, sizeof text) == 3 && read(ends[0], text, sizeof text) == 0);
    return close(ends[0]) == 0 ? NULL : "close";
}

static const char *pipe_full(void) {
    int ends[2], count = 0;
    static char page[4096], back[4096];
    REQUIRE(pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0 && fcntl(ends[0], F_GETFD) == FD_CLOEXEC);
    REQUIRE_ERROR(read(ends[0], page, 1), EAGAIN);
    for (;; count++) {
        memset(page, count, sizeof page);
        if (write(ends[1], page, sizeof page) != sizeof page) break;
        REQUIRE(count < 1000);
    }
    REQUIRE(errno == EAGAIN && count == 16);
    int waiting = 0;
    REQUIRE(ioctl(ends[0], FIONREAD, &waiting) == 0 && waiting == 65536);
    for (int index = 0; index < count; index++) {
        REQUIRE(read(ends[0], back, sizeof back) == sizeof back && back[0] == index && back[4095] == index);
    }
    return close(ends[0]) == 0 && close(ends[1]) == 0 ? NULL : "close";
}

static const char *pipe_broken(void) {
    int ends[2];
    REQUIRE(pipe(ends) == 0 && close(ends[0]) == 0);
    signal(SIGPIPE, SIG_IGN);
    REQUIRE_ERROR(write(ends[1], "x", 1), EPIPE);
    signal(SIGPIPE, SIG_DFL);
    return close(ends[1]) == 0 ? NULL : "close";
}

static const char *polling(void) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    struct pollfd wanted[] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}, {-1, POLLIN, 9}, {999, POLLIN, 0}};
    REQUIRE(poll(wanted, 3, -1) == 1 && wanted[0].revents == 0 && wanted[1].revents == POLLOUT && !wanted[2].revents);
    REQUIRE(poll(wanted, 4, 0) == 2 && wanted[3].revents == POLLNVAL);
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    REQUIRE(poll(wanted, 1, 20) == 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    REQUIRE((after.tv_sec - before.tv_sec) * 1000000000l + after.tv_nsec - before.tv_nsec >= 20000000l);
    REQUIRE(write(ends[1], "x", 1) == 1 && poll(wanted, 1, -1) == 1 && wanted[0].revents == POLLIN);
    struct timespec instant = {0, 0};
    REQUIRE(ppoll(wanted, 2, &instant, NULL) == 2);
    REQUIRE(close(ends[1]) == 0 && poll(wanted, 1, -1) == 1 && (wanted[0].revents & (POLLIN | POLLHUP)));
    return close(ends[0]) == 0 ? NULL : "close";
}

static const char *selecting(void) {
    int ends[2];
    fd_set reading, writing;
    struct timeval instant = {0, 1000};
    REQUIRE(pipe(ends) == 0);
    FD_ZERO(&reading);
    FD_ZERO(&writing);
    FD_SET(ends[0], &reading), FD_SET(ends[1], &writing);
    REQUIRE(select(ends[1] + 1, &reading, &writing, NULL, NULL) == 1);
    REQUIRE(!FD_ISSET(ends[0], &reading) && FD_ISSET(ends[1], &writing));
    FD_SET(ends[0], &reading);
    REQUIRE(select(ends[0] + 1, &reading, NULL, NULL, &instant) == 0 && !FD_ISSET(ends[0], &reading));
    REQUIRE(write(ends[1], "x", 1) == 1);
    FD_SET(ends[0], &reading);
    struct timespec second = {1, 0};
    REQUIRE(pselect(ends[0] + 1, &reading, NULL, NULL, &second, NULL) == 1 && FD_ISSET(ends[0], &reading));
    FD_SET(200, &reading);
    REQUIRE_ERROR(select(201, &reading, NULL, NULL, &instant), EBADF);
    return close(ends[0]) == 0 && close(ends[1]) == 0 ? NULL : "close";
}

static const char *not_a_terminal(void) {
    struct winsize size;
    int file = open("/dev/null", O_RDWR);
    REQUIRE_ERROR(ioctl(file, TIOCGWINSZ, &size), ENOTTY);
    REQUIRE(!isatty(file));
    return close(file) == 0 ? NULL : "close";
}

const struct test descriptor_tests[] = {
    {"duplicates", duplicates}, {"pipe_bytes", pipe_bytes}, {"pipe_full", pipe_full},
    {"pipe_broken", pipe_broken}, {"polling", polling}, {"selecting", selecting},
    {"not_a_terminal", not_a_terminal}, {NULL, NULL},
};
