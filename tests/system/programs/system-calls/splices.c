// splices.c: bytes that move inside the kernel (splice(2), tee(2), vmsplice(2), sendfile(2), copy_file_range(2)).
#include "tests.h"

#include <netinet/in.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

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

// Two ends of a connection over the loopback: one[0] is sent to, one[1] reads.
static void connect_ends(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listener, (void *)&address, length) == 0 && listen(listener, 1) == 0);
    CHECK(getsockname(listener, (void *)&address, &length) == 0);
    one[0] = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(one[0], (void *)&address, length) == 0);
    one[1] = accept(listener, NULL, NULL);
    CHECK(one[1] >= 0 && close(listener) == 0);
}

// Bytes of a file that is more than a connection holds.
enum { LONG = 8 << 20 };
static uint32_t expected[LONG / 4];

static int make_long_file(void) {
    int file = make_file("");
    for (uint32_t word = 0; word < LONG / 4; word++) expected[word] = word;
    CHECK(write(file, expected, LONG) == LONG);
    return file;
}

static void files_to_sockets(void) {
    connect_ends();
    char bytes[16];
    int from = make_file("0123456789");
    off_t at = 8;
    CHECK(sendfile(one[0], from, &at, 100) == 2 && at == 10 && lseek(from, 0, SEEK_CUR) == 0);
    CHECK(sendfile(one[0], from, &at, 100) == 0 && at == 10);
    CHECK(sendfile(one[0], from, NULL, 3) == 3 && lseek(from, 0, SEEK_CUR) == 3);
    CHECK(recv(one[1], bytes, 5, MSG_WAITALL) == 5 && memcmp(bytes, "89012", 5) == 0);
    CHECK(close(from) == 0 && shutdown(one[0], SHUT_WR) == 0);
    int directory = open("/", O_RDONLY);
    CHECK_ERROR(sendfile(one[0], directory, NULL, 1), EINVAL);
    CHECK(close(directory) == 0 && close(one[0]) == 0 && close(one[1]) == 0);
}

static void long_files_to_sockets(void) {
    connect_ends();
    int from = make_long_file(), refused = 0;
    CHECK(fcntl(one[0], F_SETFL, O_NONBLOCK) == 0);
    static char bytes[LONG];
    off_t at = 0;
    // How often there is no room is each kernel's: what is checked in the loop is counted once.
    int right = 1;
    for (size_t come = 0; come < LONG && right; come = at) {
        // As much as there is room for goes, and the rest is asked for again.
        while (at < LONG && sendfile(one[0], from, &at, LONG) >= 0) {}
        refused += at < LONG;
        right &= at == LONG || errno == EAGAIN;
        right &= recv(one[1], bytes, at - come, MSG_WAITALL) == (ssize_t)(at - come);
        right &= memcmp(bytes, (char *)expected + come, at - come) == 0;
    }
    CHECK(right);
    CHECK(refused > 0 && close(from) == 0 && close(one[0]) == 0 && recv(one[1], bytes, 4, 0) == 0);
    CHECK(close(one[1]) == 0);
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
    {"splices_without_end", without_end},
    {"splices_files_to_sockets", files_to_sockets},
    {"splices_long_files_to_sockets", long_files_to_sockets}, {NULL, NULL},
};
