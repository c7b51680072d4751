// seals.c: files in memory that can be sealed (memfd_create(2), fcntl(2)).
#include "tests.h"

#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#define F_GET_SEALS 1034
#endif
enum { SEAL = 1, SHRINK = 2, GROW = 4, WRITE_ = 8, FUTURE_WRITE = 16, EXEC = 32 };
enum { ALLOW = 2, NOEXEC = 8, EXECUTABLE = 16 };

static int memory(unsigned flags, off_t length) {
    int file = syscall(SYS_memfd_create, "sealed", flags);
    CHECK(file >= 0 && ftruncate(file, length) == 0);
    return file;
}

static int again(int file, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return open(path, flags);
}

static int seals(int file) { return fcntl(file, F_GET_SEALS); }
static int seal(int file, int wanted) { return fcntl(file, F_ADD_SEALS, wanted); }

static void added(void) {
    int file = memory(0, 10);
    CHECK(seals(file) == SEAL);
    CHECK_ERROR(seal(file, GROW), EPERM);
    CHECK(close(file) == 0 && seals(file = memory(ALLOW, 10)) == 0);
    CHECK_ERROR(seal(file, 0x400), EINVAL);
    CHECK(seal(file, GROW) == 0 && seal(file, SHRINK | GROW) == 0 && seals(file) == (GROW | SHRINK));
    int reader = again(file, O_RDONLY), writer = again(file, O_RDWR);
    CHECK(reader >= 0 && writer >= 0 && seals(reader) == (GROW | SHRINK));
    CHECK_ERROR(seal(reader, WRITE_), EPERM);
    CHECK(seal(writer, SEAL) == 0 && seals(file) == (SEAL | GROW | SHRINK));
    CHECK_ERROR(seal(file, WRITE_), EPERM);
    CHECK(close(reader) == 0 && close(writer) == 0 && close(file) == 0);
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK_ERROR(seals(ends[0]), EINVAL);
    CHECK_ERROR(seal(ends[1], GROW), EINVAL);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
    CHECK_ERROR(seals(ends[0]), EBADF);
}

static void lengths(void) {
    int file = memory(ALLOW, 6000);
    CHECK(seal(file, SHRINK) == 0 && ftruncate(file, 6000) == 0 && ftruncate(file, 7000) == 0);
    CHECK_ERROR(ftruncate(file, 6999), EPERM);
    CHECK_ERROR(again(file, O_RDWR | O_TRUNC), EPERM);
    CHECK(pwrite(file, "x", 1, 7000) == 1 && seal(file, GROW) == 0);
    CHECK_ERROR(ftruncate(file, 7002), EPERM);
    CHECK_ERROR(pwrite(file, "xy", 2, 7000), EPERM);
    CHECK_ERROR(pwrite(file, "x", 1, 9000), EPERM);
    CHECK(pwrite(file, "x", 1, 7000) == 1 && pwrite(file, "", 0, 9000) == 0);
    // The pages before the one in which the file would grow are written.
    static char bytes[8192];
    CHECK(pwrite(file, bytes, sizeof bytes, 0) == 4096 && pwrite(file, bytes, 4097, 4000) == 96);
    CHECK_ERROR(fallocate(file, 0, 0, 8000), EPERM);
    CHECK(fallocate(file, 0, 0, 7001) == 0 && fallocate(file, 3 /* a hole */, 0, 4096) == 0);
    struct stat status;
    CHECK(fstat(file, &status) == 0 && status.st_size == 7001 && close(file) == 0);
}

static void writes(void) {
    int file = memory(ALLOW, 8192);
    char *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    char *quiet = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    char *mine = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    CHECK(shared != MAP_FAILED && quiet != MAP_FAILED && mine != MAP_FAILED);
    CHECK_ERROR(seal(file, WRITE_), EBUSY);
    CHECK(munmap(shared, 4096) == 0);
    CHECK_ERROR(seal(file, WRITE_ | GROW), EBUSY);
    CHECK(seals(file) == 0 && munmap(quiet, 4096) == 0 && seal(file, WRITE_) == 0);
    CHECK_ERROR(write(file, "x", 1), EPERM);
    CHECK_ERROR(pwrite(file, "x", 1, 9000), EPERM);
    CHECK_ERROR(fallocate(file, 3, 0, 4096), EPERM);
    CHECK(write(file, "", 0) == 0 && ftruncate(file, 4096) == 0 && (mine[0] = 1));
    CHECK(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED && errno == EPERM);
    CHECK(munmap(mine, 4096) == 0);
    mine = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    CHECK(mine != MAP_FAILED && (mine[1] = 1) && munmap(mine, 4096) == 0 && close(file) == 0);
}

static void later_writes(void) {
    int file = memory(ALLOW, 4096);
    char *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), byte = 0;
    CHECK(shared != MAP_FAILED && seal(file, FUTURE_WRITE) == 0 && seals(file) == FUTURE_WRITE);
    shared[0] = 7;
    CHECK(pread(file, &byte, 1, 0) == 1 && byte == 7);
    CHECK_ERROR(pwrite(file, "x", 1, 0), EPERM);
    CHECK(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED && errno == EPERM);
    char *quiet = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    CHECK(quiet != MAP_FAILED && quiet[0] == 7);
    CHECK_ERROR(mprotect(quiet, 4096, PROT_READ | PROT_WRITE), EACCES);
    CHECK(munmap(quiet, 4096) == 0 && munmap(shared, 4096) == 0 && close(file) == 0);
}

static void modes(void) {
    struct stat status;
    int file = memory(NOEXEC, 0);
    CHECK(fstat(file, &status) == 0 && (status.st_mode & 0777) == 0666 && seals(file) == EXEC);
    CHECK(fchmod(file, 0600) == 0);
    CHECK_ERROR(fchmod(file, 0700), EPERM);
    CHECK(seal(file, SHRINK) == 0 && close(file) == 0);
    file = memory(EXECUTABLE | ALLOW, 0);
    CHECK(fstat(file, &status) == 0 && (status.st_mode & 0777) == 0777 && seal(file, EXEC) == 0);
    CHECK(seals(file) == (EXEC | SHRINK | GROW | WRITE_ | FUTURE_WRITE) && close(file) == 0);
    CHECK_ERROR(syscall(SYS_memfd_create, "both", NOEXEC | EXECUTABLE), EINVAL);
}

const struct test seal_tests[] = {
    {"seals_added", added}, {"seals_lengths", lengths},       {"seals_writes", writes},
    {"seals_modes", modes}, {"seals_later_writes", later_writes}, {NULL, NULL},
};
