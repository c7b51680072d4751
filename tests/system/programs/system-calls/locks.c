// locks.c: locks on files, of the process and of open files (fcntl(2), flock(2)).
#include "tests.h"

#include <sys/file.h>

// Of this process alone: on Linux, which may run the same beside us, the folder is the one that we see below our own.
static char path[40];

static int open_it(void) {
    snprintf(path, sizeof path, "/tmp/system-calls-locked-%d", getpid());
    int file = open(path, O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0);
    return file;
}

static struct flock range(short type, off_t start, off_t length) {
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
}

static int set(int file, int operation, short type, off_t start, off_t length) {
    struct flock lock = range(type, start, length);
    return fcntl(file, operation, &lock);
}

static void of_open_files(void) {
    int one = open_it(), two = open_it();
    CHECK(set(one, F_OFD_SETLK, F_WRLCK, 10, 10) == 0 && set(one, F_OFD_SETLK, F_WRLCK, 15, 10) == 0);
    CHECK_ERROR(set(two, F_OFD_SETLK, F_RDLCK, 24, 1), EAGAIN);
    CHECK_ERROR(set(two, F_SETLK, F_RDLCK, 24, 1), EAGAIN);
    CHECK(set(two, F_OFD_SETLK, F_WRLCK, 25, 0) == 0);
    struct flock found = range(F_WRLCK, 0, 0);
    CHECK(fcntl(two, F_OFD_GETLK, &found) == 0 && found.l_type == F_WRLCK && found.l_start == 10);
    CHECK(found.l_pid == -1 && found.l_whence == SEEK_SET);
    CHECK(set(one, F_OFD_SETLK, F_UNLCK, 12, 2) == 0 && set(two, F_OFD_SETLK, F_WRLCK, 12, 2) == 0);
    CHECK_ERROR(set(two, F_OFD_SETLK, F_WRLCK, 11, 1), EAGAIN);
    int again = dup(one);
    CHECK(close(one) == 0);
    CHECK_ERROR(set(two, F_OFD_SETLK, F_WRLCK, 11, 1), EAGAIN);
    CHECK(close(again) == 0 && set(two, F_OFD_SETLK, F_WRLCK, 0, 0) == 0 && close(two) == 0);
    CHECK(unlink(path) == 0);
}

static void of_the_process(void) {
    int one = open_it(), two = open_it(), reader = open(path, O_RDONLY);
    CHECK(set(one, F_SETLK, F_WRLCK, 0, 0) == 0 && set(two, F_SETLK, F_WRLCK, 5, 5) == 0);
    struct flock found = range(F_WRLCK, 0, 0);
    CHECK(fcntl(one, F_GETLK, &found) == 0 && found.l_type == F_UNLCK);
    found = range(F_RDLCK, 7, 1);
    CHECK(fcntl(one, F_OFD_GETLK, &found) == 0 && found.l_type == F_WRLCK && found.l_pid == getpid());
    CHECK_ERROR(set(two, F_OFD_SETLK, F_RDLCK, 0, 1), EAGAIN);
    CHECK_ERROR(set(reader, F_SETLK, F_WRLCK, 0, 1), EBADF);
    CHECK_ERROR(set(one, F_SETLK, 7, 0, 1), EINVAL);
    CHECK_ERROR(set(one, F_SETLK, F_WRLCK, -1, 1), EINVAL);
    // Closing any descriptor of the file gives all of the process' locks on it back.
    CHECK(close(reader) == 0 && set(two, F_OFD_SETLK, F_WRLCK, 0, 1) == 0);
    CHECK(close(one) == 0 && close(two) == 0 && unlink(path) == 0);
}

static void whole_files(void) {
    int one = open_it(), two = open_it();
    CHECK(flock(one, LOCK_SH) == 0 && flock(two, LOCK_SH | LOCK_NB) == 0);
    CHECK_ERROR(flock(one, LOCK_EX | LOCK_NB), EWOULDBLOCK);
    CHECK(flock(two, LOCK_UN) == 0 && flock(one, LOCK_EX | LOCK_NB) == 0);
    CHECK_ERROR(flock(two, LOCK_SH | LOCK_NB), EWOULDBLOCK);
    CHECK(set(two, F_OFD_SETLK, F_WRLCK, 0, 0) == 0);
    CHECK_ERROR(flock(one, 0), EINVAL);
    CHECK(close(one) == 0 && flock(two, LOCK_EX | LOCK_NB) == 0 && close(two) == 0 && unlink(path) == 0);
}

static int holder;
static void *give_back(void *nothing) {
    pause_a_little();
    CHECK(set(holder, F_OFD_SETLK, F_UNLCK, 0, 0) == 0);
    return nothing;
}

static void waiting(void) {
    int two = open_it();
    holder = open_it();
    CHECK(set(holder, F_OFD_SETLK, F_WRLCK, 0, 0) == 0);
    pthread_t thread = start_thread(give_back, NULL);
    CHECK(set(two, F_OFD_SETLKW, F_WRLCK, 3, 4) == 0);
    join_thread(thread);
    CHECK(close(holder) == 0 && close(two) == 0 && unlink(path) == 0);
}

const struct test lock_tests[] = {
    {"locks_of_open_files", of_open_files},
    {"locks_of_the_process", of_the_process},
    {"locks_whole_files", whole_files},
    {"locks_waiting", waiting},
    {NULL, NULL},
};
