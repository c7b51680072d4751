// splices.c: bytes that move inside the kernel (splice(2), tee(2), vmsplice(2), sendfile(2), copy_file_range(2)).
#include "tests.h"

#include <sys/sendfile.h>

static int one[2], two[2];

static void make_pipes(void) { CHECK(pipe(one) == 0 && pipe(two) == 0); }
static void close_pipes(void) {
    for (int end = 0; end < 2; end++) CHECK(close(one[end]) == 0 && close(two[end]) == 0);
}

static void splices(void) {
    make_pipes();
    char bytes[16] = {0};
    int from = make_file("0123456789"), to = make_file("");
    loff_t at = 2;
    CHECK(splice(from, &at, one[1], NULL, 5, 0) == 5 && at == 7 && lseek(from, 0, SEEK_CUR) == 0);
    CHECK(splice(from, NULL, one[1], NULL, 100, SPLICE_F_MORE) == 10 && splice(from, NULL, one[1], NULL, 9, 0) == 0);
    CHECK(splice(one[0], NULL, two[1], NULL, 4, 0) == 4 && read(two[0], bytes, 9) == 4 && !memcmp(bytes, "2345", 4));
    at = 3;
    CHECK(splice(one[0], NULL, to, &at, 3, SPLICE_F_MOVE) == 3 && at == 6 && pread(to, bytes, 9, 0) == 6);
    CHECK(memcmp(bytes, "\0\0\0" "601", 6) == 0 && read(one[0], bytes, 16) == 8);
    CHECK_ERROR(splice(one[0], NULL, to, NULL, 1, SPLICE_F_NONBLOCK), EAGAIN);
    CHECK_ERROR(splice(from, NULL, to, NULL, 1, 0), EINVAL);
    CHECK_ERROR(splice(one[0], &at, to, NULL, 1, 0), ESPIPE);
    CHECK_ERROR(splice(one[0], NULL, one[1], NULL, 1, 0), EINVAL);
    CHECK_ERROR(splice(one[1], NULL, to, NULL, 1, 0), EBADF);
    CHECK(splice(from, NULL, from, NULL, 0, 0) == 0);
    CHECK(close(from) == 0 && close(to) == 0);
    close_pipes();
}

static void tees(void) {
    make_pipes();
    char bytes[16];
    struct iovec piece = {.iov_base = "abcdef", .iov_len = 6};
    CHECK(vmsplice(one[1], &piece, 1, 0) == 6 && tee(one[0], two[1], 4, 0) == 4);
    CHECK(read(two[0], bytes, 16) == 4 && memcmp(bytes, "abcd", 4) == 0);
    CHECK(read(one[0], bytes, 16) == 6 && memcmp(bytes, "abcdef", 6) == 0);
    CHECK_ERROR(tee(one[0], two[1], 1, SPLICE_F_NONBLOCK), EAGAIN);
    CHECK_ERROR(tee(one[0], one[1], 1, 0), EINVAL);
    int file = make_file("x");
    CHECK_ERROR(tee(file, one[1], 1, 0), EINVAL);
    CHECK_ERROR(vmsplice(file, &piece, 1, 0), EBADF);
    CHECK(close(file) == 0);
    close_pipes();
}

static void copies(void) {
    make_pipes();
    char bytes[16];
    int from = make_file("0123456789"), to = make_file("");
    CHECK(sendfile(one[1], from, NULL, 4) == 4 && read(one[0], bytes, 16) == 4 && !memcmp(bytes, "0123", 4));
    off_t at = 8;
    CHECK(sendfile(to, from, &at, 100) == 2 && at == 10 && lseek(from, 0, SEEK_CUR) == 4);
    CHECK(copy_file_range(from, NULL, to, NULL, 3, 0) == 3 && pread(to, bytes, 16, 0) == 5 && !memcmp(bytes, "89456", 5));
    CHECK_ERROR(copy_file_range(from, NULL, to, NULL, 3, 1), EINVAL);
    CHECK_ERROR(sendfile(to, one[0], NULL, 1), EINVAL);
    CHECK(close(from) == 0 && close(to) == 0);
    close_pipes();
}

// preadv2 and pwritev2, which not every C library has.
enum { SYNCHRONISED = 2, APPENDED = 16 };

static ssize_t read2(int file, struct iovec *piece, off_t offset, int flags) {
    return syscall(SYS_preadv2, file, piece, 1, offset, 0, flags);
}

static ssize_t write2(int file, struct iovec *piece, off_t offset, int flags) {
    return syscall(SYS_pwritev2, file, piece, 1, offset, 0, flags);
}

static void scattered_with_flags(void) {
    int file = make_file("abc");
    struct iovec piece = {.iov_base = "XY", .iov_len = 2};
    CHECK(write2(file, &piece, 0, APPENDED) == 2 && lseek(file, 0, SEEK_CUR) == 0);
    CHECK(write2(file, &piece, -1, SYNCHRONISED) == 2 && lseek(file, 0, SEEK_CUR) == 2);
    char bytes[8];
    piece = (struct iovec){.iov_base = bytes, .iov_len = 8};
    CHECK(read2(file, &piece, 0, 0) == 5 && memcmp(bytes, "XYcXY", 5) == 0);
    CHECK_ERROR(read2(file, &piece, 0, 0x4000), EOPNOTSUPP);
    CHECK(fsync(file) == 0 && fdatasync(file) == 0 && sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE) == 0);
    CHECK_ERROR(sync_file_range(file, -1, 0, 0), EINVAL);
    CHECK_ERROR(sync_file_range(file, 0, 0, 8), EINVAL);
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK_ERROR(fsync(ends[0]), EINVAL);
    CHECK_ERROR(sync_file_range(ends[0], 0, 0, 0), ESPIPE);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0 && close(file) == 0);
}

static void note(int signal) { (void)signal; }

// What comes from a file without an end is moved until a signal comes, not two gigabytes of it.
static void without_end(void) {
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART}, before;
    CHECK(sigaction(SIGALRM, &action, &before) == 0);
    // Again and again: the first may come before the call.
    struct itimerval soon = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
    int from = open("/dev/urandom", O_RDONLY), to = open("/dev/null", O_WRONLY);
    CHECK(from >= 0 && to >= 0 && setitimer(ITIMER_REAL, &soon, NULL) == 0);
    ssize_t moved = sendfile(to, from, NULL, 0x7ffff000);
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0 && moved > 0 && moved < 0x7ffff000);
    CHECK(sigaction(SIGALRM, &before, NULL) == 0 && close(from) == 0 && close(to) == 0);
}

const struct test splice_tests[] = {
    {"splices_splices", splices},
    {"splices_tees", tees},
    {"splices_copies", copies},
    {"splices_scattered_with_flags", scattered_with_flags},
    {"splices_without_end", without_end}, {NULL, NULL},
};
