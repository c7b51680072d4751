// file.c: regular files below /tmp: written, sought, read back, truncated, renamed, removed.
#include "check.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/uio.h>

static char scratch[] = "/tmp/selftest.XXXXXX";

const char *enter_scratch(void) {
    memcpy(scratch, "/tmp/selftest.XXXXXX", sizeof scratch);
    REQUIRE(mkdtemp(scratch));
    REQUIRE(chdir(scratch) == 0);
    return NULL;
}

static int discard(const char *path, const struct stat *status, int kind, struct FTW *position) {
    (void)status, (void)kind, (void)position;
    return remove(path);
}

const char *leave_scratch(void) {
    REQUIRE(chdir("/") == 0);
    REQUIRE(nftw(scratch, discard, 16, FTW_DEPTH | FTW_PHYS) == 0);
    return NULL;
}

static const char *write_seek_read(void) {
    int file = open("file", O_RDWR | O_CREAT | O_EXCL, 0640);
    char text[32] = {0};
    REQUIRE(file >= 0);
    REQUIRE(write(file, "hello, world", 12) == 12);
    REQUIRE(lseek(file, 0, SEEK_CUR) == 12 && lseek(file, 7, SEEK_SET) == 7);
    REQUIRE(read(file, text, sizeof text) == 5 && memcmp(text, "world", 5) == 0);
    REQUIRE(read(file, text, sizeof text) == 0);
    REQUIRE(lseek(file, -5, SEEK_END) == 7);
    REQUIRE_ERROR(lseek(file, -1, SEEK_SET), EINVAL);
    REQUIRE_ERROR(lseek(file, 0, 99), EINVAL);
    REQUIRE(pwrite(file, "J", 1, 0) == 1 && pread(file, text, 5, 0) == 5 && memcmp(text, "Jello", 5) == 0);
    REQUIRE(lseek(file, 0, SEEK_CUR) == 7);
    REQUIRE_ERROR(open("file", O_RDWR | O_CREAT | O_EXCL, 0640), EEXIST);
    struct stat status;
    REQUIRE(fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 12 && status.st_nlink == 1);
    REQUIRE((status.st_mode & 07777) == 0640 && status.st_blksize > 0);
    REQUIRE(close(file) == 0);
    REQUIRE_ERROR(close(file), EBADF);
    return NULL;
}

static const char *append_and_truncate(void) {
    int file = open("appended", O_RDWR | O_CREAT | O_APPEND, 0600);
    char text[16];
    struct stat status;
    REQUIRE(write(file, "abc", 3) == 3 && lseek(file, 0, SEEK_SET) == 0 && write(file, "def", 3) == 3);
    REQUIRE(pread(file, text, 6, 0) == 6 && memcmp(text, "abcdef", 6) == 0);
    REQUIRE(ftruncate(file, 2) == 0 && fstat(file, &status) == 0 && status.st_size == 2);
    REQUIRE(ftruncate(file, 9000) == 0 && pread(file, text, 16, 8990) == 10 && text[0] == 0);
    REQUIRE(pread(file, text, 4, 0) == 4 && memcmp(text, "ab\0\0", 4) == 0);
    REQUIRE(close(file) == 0);
    REQUIRE(truncate("appended", 1) == 0 && stat("appended", &status) == 0 && status.st_size == 1);
    REQUIRE((file = open("appended", O_WRONLY | O_TRUNC)) >= 0 && fstat(file, &status) == 0 && status.st_size == 0);
    REQUIRE_ERROR(read(file, text, 1), EBADF);
    REQUIRE_ERROR(ftruncate(file, -1), EINVAL);
    return close(file) == 0 ? NULL : "close";
}

static const char *sparse(void) {
    int file = open("sparse", O_RDWR | O_CREAT, 0600);
    char text[8192];
    REQUIRE(pwrite(file, "end", 3, 1 << 20) == 3);
    REQUIRE(pread(file, text, sizeof text, (1 << 20) - 8000) == 8003);
    for (int index = 0; index < 8000; index++) REQUIRE(text[index] == 0);
    REQUIRE(memcmp(text + 8000, "end", 3) == 0);
    return close(file) == 0 ? NULL : "close";
}

static const char *large_file(void) {
    enum { CHUNK = 100003, COUNT = 160 };
    static uint8_t chunk[CHUNK], back[CHUNK];
    int file = open("large", O_RDWR | O_CREAT, 0600);
    for (int index = 0; index < COUNT; index++) {
        for (int byte = 0; byte < CHUNK; byte++) chunk[byte] = (byte * 7 + index * 13) >> 2;
        REQUIRE(write(file, chunk, CHUNK) == CHUNK);
    }
    REQUIRE(lseek(file, 0, SEEK_SET) == 0);
    for (int index = 0; index < COUNT; index++) {
        for (int byte = 0; byte < CHUNK; byte++) chunk[byte] = (byte * 7 + index * 13) >> 2;
        REQUIRE(read(file, back, CHUNK) == CHUNK && memcmp(chunk, back, CHUNK) == 0);
    }
    REQUIRE(close(file) == 0 && unlink("large") == 0);
    return NULL;
}

static const char *vectors(void) {
    int file = open("vectors", O_RDWR | O_CREAT, 0600);
    char first[4], second[8] = {0};
    struct iovec out[] = {{"one ", 4}, {"", 0}, {"two ", 4}, {"three", 5}};
    struct iovec in[] = {{first, 4}, {second, 8}};
    REQUIRE(writev(file, out, 4) == 13 && lseek(file, 0, SEEK_SET) == 0);
    REQUIRE(readv(file, in, 2) == 12 && memcmp(first, "one ", 4) == 0 && memcmp(second, "two thre", 8) == 0);
    REQUIRE(preadv(file, in, 1, 8) == 4 && memcmp(first, "thre", 4) == 0);
    REQUIRE(pwritev(file, out + 3, 1, 0) == 5 && pread(file, second, 8, 0) == 8 && memcmp(second, "threewo ", 8) == 0);
    REQUIRE_ERROR(syscall(SYS_writev, file, out, -1), EINVAL);
    return close(file) == 0 ? NULL : "close";
}

static const char *rename_and_unlink(void) {
    struct stat status;
    char text[4];
    int one = open("one", O_RDWR | O_CREAT, 0600), two = open("two", O_RDWR | O_CREAT, 0600);
    REQUIRE(write(one, "1", 1) == 1 && write(two, "2", 1) == 1);
    REQUIRE(rename("one", "two") == 0);
    REQUIRE_ERROR(stat("one", &status), ENOENT);
    REQUIRE(fstat(two, &status) == 0 && status.st_nlink == 0 && pread(two, text, 1, 0) == 1 && text[0] == '2');
    REQUIRE(stat("two", &status) == 0 && status.st_nlink == 1);
    REQUIRE(link("two", "three") == 0 && stat("three", &status) == 0 && status.st_nlink == 2);
    REQUIRE(unlink("two") == 0 && fstat(one, &status) == 0 && status.st_nlink == 1);
    REQUIRE(unlink("three") == 0 && pread(one, text, 1, 0) == 1 && text[0] == '1');
    REQUIRE_ERROR(unlink("three"), ENOENT);
    REQUIRE_ERROR(rename("three", "four"), ENOENT);
    return close(one) == 0 && close(two) == 0 ? NULL : "close";
}

static const char *attributes(void) {
    struct stat status;
    int file = open("attributes", O_RDWR | O_CREAT, 0666);
    REQUIRE(chmod("attributes", 0751) == 0 && fstat(file, &status) == 0 && (status.st_mode & 07777) == 0751);
    REQUIRE(fchmod(file, 0600) == 0 && stat("attributes", &status) == 0 && (status.st_mode & 07777) == 0600);
    struct timespec times[2] = {{1000000000, 5}, {1234567890, 123456789}};
    REQUIRE(futimens(file, times) == 0 && fstat(file, &status) == 0);
    REQUIRE(status.st_mtim.tv_sec == 1234567890 && status.st_mtim.tv_nsec == 123456789);
    REQUIRE(status.st_atim.tv_sec == 1000000000);
    REQUIRE(utimensat(AT_FDCWD, "attributes", NULL, 0) == 0 && fstat(file, &status) == 0);
    REQUIRE(status.st_mtim.tv_sec > 1700000000);
    REQUIRE(access("attributes", R_OK | W_OK) == 0);
    REQUIRE_ERROR(access("attributes", X_OK), EACCES);
    REQUIRE_ERROR(access("absent", F_OK), ENOENT);
    return close(file) == 0 ? NULL : "close";
}

static const char *standard_io(void) {
    FILE *file = fopen("lines", "w+");
    char line[64];
    REQUIRE(file);
    for (int index = 0; index < 5000; index++) REQUIRE(fprintf(file, "line %d\n", index) > 0);
    rewind(file);
    for (int index = 0; index < 5000; index++) {
        char expected[64];
        snprintf(expected, sizeof expected, "line %d\n", index);
        REQUIRE(fgets(line, sizeof line, file) && strcmp(line, expected) == 0);
    }
    REQUIRE(fgets(line, sizeof line, file) == NULL && feof(file) && fclose(file) == 0);
    REQUIRE((file = tmpfile()) && fputs("x", file) >= 0 && fclose(file) == 0);
    return NULL;
}

static const char *bad_addresses(void) {
    int file = open("bad", O_RDWR | O_CREAT, 0600), unused;
    static char *const addresses[] = {(char *)8, (char *)0x7ffffffff000, (char *)0x8000000000000000,
                                      (char *)0xffff800000000000, (char *)0xffffffff80000000, (char *)-8};
    REQUIRE(write(file, "12345678", 8) == 8);
    for (size_t index = 0; index < sizeof addresses / sizeof *addresses; index++) {
        REQUIRE_ERROR(syscall(SYS_write, file, addresses[index], 8), EFAULT);
        REQUIRE_ERROR(syscall(SYS_pread64, file, addresses[index], 8, 0), EFAULT);
        REQUIRE_ERROR(syscall(SYS_open, addresses[index], O_RDONLY), EFAULT);
        REQUIRE_ERROR(syscall(SYS_fstat, file, addresses[index]), EFAULT);
        REQUIRE_ERROR(syscall(SYS_pipe, addresses[index]), EFAULT);
    }
    // The last argument runs over the end of user memory.
    REQUIRE_ERROR(syscall(SYS_write, file, &unused, 1ul << 63), EFAULT);
    return close(file) == 0 ? NULL : "close";
}

static const char *names(void) {
    char name[300];
    memset(name, 'n', sizeof name);
    name[255] = 0;
    REQUIRE(close(open(name, O_RDWR | O_CREAT, 0600)) == 0 && unlink(name) == 0);
    name[255] = 'n', name[256] = 0;
    REQUIRE_ERROR(open(name, O_RDWR | O_CREAT, 0600), ENAMETOOLONG);
    char *path = malloc(5001);
    memset(path, '/', 5000), path[5000] = 0;
    REQUIRE_ERROR(open(path, O_RDONLY), ENAMETOOLONG);
    free(path);
    REQUIRE_ERROR(open("", O_RDONLY), ENOENT);
    REQUIRE_ERROR(open("absent/file", O_RDONLY), ENOENT);
    REQUIRE(close(open("plain", O_RDWR | O_CREAT, 0600)) == 0);
    REQUIRE_ERROR(open("plain/file", O_RDONLY), ENOTDIR);
    REQUIRE_ERROR(open("plain", O_RDONLY | O_DIRECTORY), ENOTDIR);
    REQUIRE_ERROR(open(".", O_RDWR), EISDIR);
    REQUIRE(close(open("odd \n\xff name", O_RDWR | O_CREAT, 0600)) == 0 && access("odd \n\xff name", F_OK) == 0);
    return NULL;
}

const struct test file_tests[] = {
    {"write_seek_read", write_seek_read},
    {"append_and_truncate", append_and_truncate},
    {"sparse", sparse},
    {"large_file", large_file},
    {"vectors", vectors},
    {"rename_and_unlink", rename_and_unlink},
    {"attributes", attributes},
    {"standard_io", standard_io},
    {"bad_addresses", bad_addresses},
    {"names", names},
    {NULL, NULL},
};
