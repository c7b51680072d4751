// times.c: when a read changes a file's access time: once after each change (`relatime` in mount(8)).
#include "tests.h"

#include <dirent.h>
#include <sys/sendfile.h>

enum { LONG_AGO = 1000 };

static char path[256], other[300];
static int file;

static void enter(void) {
    const char *above = getenv("TMPDIR");
    // On Linux the same may run beside us.
    snprintf(path, sizeof path, "%s/system-calls-times-%d", above ? above : "/tmp", getpid());
    snprintf(other, sizeof other, "%s-other", path);
    CHECK((file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600)) >= 0);
    CHECK(write(file, "some contents", 13) == 13);
}

static void leave(void) { CHECK(close(file) == 0 && unlink(path) == 0); }

static struct timespec accessed(void) {
    struct stat status;
    CHECK(fstat(file, &status) == 0);
    return status.st_atim;
}

static int is_same(struct timespec a, struct timespec b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

// Read a long time ago, and changed since.
static void make_old(void) {
    struct timespec times[] = {{LONG_AGO, 0}, {LONG_AGO, 0}};
    CHECK(futimens(file, times) == 0 && accessed().tv_sec == LONG_AGO);
}

static void by_reading(void) {
    enter();
    char byte;
    struct iovec vector = {&byte, 1};
    for (int way = 0; way < 5; way++) {
        make_old();
        CHECK(lseek(file, 0, SEEK_SET) == 0 && read(file, &byte, 0) == 0 && accessed().tv_sec == LONG_AGO);
        int pipes[2];
        CHECK(pipe(pipes) == 0);
        long count = way == 0 ? read(file, &byte, 1) : way == 1 ? pread(file, &byte, 1, 3)
            : way == 2 ? readv(file, &vector, 1) : way == 3 ? sendfile(pipes[1], file, NULL, 1) : pread(file, &byte, 1, 13);
        CHECK(count == (way < 4) && accessed().tv_sec > LONG_AGO && close(pipes[0]) == 0 && close(pipes[1]) == 0);
    }
    leave();
}

// A second read is not noted, nor one of who is to leave no trace.
static void not_always(void) {
    enter();
    char byte;
    struct timespec times[] = {{0, UTIME_NOW}, {LONG_AGO, 0}};
    CHECK(futimens(file, times) == 0);
    tick();
    CHECK(pread(file, &byte, 1, 0) == 1);
    struct timespec first = accessed();
    tick();
    CHECK(pread(file, &byte, 1, 0) == 1);
    CHECK(is_same(first, accessed()));
    CHECK(pwrite(file, "x", 1, 0) == 1);
    tick();
    CHECK(pread(file, &byte, 1, 0) == 1);
    CHECK(!is_same(first, accessed()));
    make_old();
    int quiet = open(path, O_RDONLY | O_NOATIME);
    CHECK(quiet >= 0 && read(quiet, &byte, 1) == 1 && pread(quiet, &byte, 1, 0) == 1 && accessed().tv_sec == LONG_AGO);
    CHECK(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, quiet, 0) != MAP_FAILED && accessed().tv_sec == LONG_AGO);
    CHECK(fcntl(quiet, F_SETFL, 0) == 0 && read(quiet, &byte, 1) == 1 && accessed().tv_sec > LONG_AGO);
    CHECK(close(quiet) == 0);
    leave();
}

static void by_mapping(void) {
    enter();
    for (int way = 0; way < 2; way++) {
        make_old();
        char *shown = mmap(NULL, 4096, PROT_READ, way == 0 ? MAP_PRIVATE : MAP_SHARED, file, 0);
        CHECK(shown != MAP_FAILED && accessed().tv_sec > LONG_AGO && munmap(shown, 4096) == 0);
    }
    leave();
}

static void of_other_kinds(void) {
    enter();
    CHECK(mkdir(other, 0700) == 0);
    struct stat status;
    struct timespec times[] = {{LONG_AGO, 0}, {LONG_AGO, 0}};
    CHECK(utimensat(AT_FDCWD, other, times, 0) == 0);
    DIR *directory = opendir(other);
    CHECK(directory && readdir(directory) && stat(other, &status) == 0 && status.st_atim.tv_sec > LONG_AGO);
    CHECK(closedir(directory) == 0 && rmdir(other) == 0 && symlink(path, other) == 0);
    char target[256];
    CHECK(utimensat(AT_FDCWD, other, times, AT_SYMLINK_NOFOLLOW) == 0 && readlink(other, target, sizeof target) > 0);
    CHECK(lstat(other, &status) == 0 && status.st_atim.tv_sec > LONG_AGO);
    // Going through it is reading it, too.
    CHECK(utimensat(AT_FDCWD, other, times, AT_SYMLINK_NOFOLLOW) == 0 && access(other, F_OK) == 0);
    CHECK(lstat(other, &status) == 0 && status.st_atim.tv_sec > LONG_AGO && unlink(other) == 0);
    leave();
}

const struct test time_tests[] = {
    {"times_by_reading", by_reading}, {"times_not_always", not_always}, {"times_by_mapping", by_mapping},
    {"times_of_other_kinds", of_other_kinds}, {NULL, NULL},
};
