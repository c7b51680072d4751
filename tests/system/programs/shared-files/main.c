/* Files on a directory that the host shares: what a program may do with them, in the directory it is given. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHECK(what)                                                     \
    do {                                                                \
        if (!(what)) {                                                  \
            printf("line %d: %s: %s\n", __LINE__, #what, strerror(errno)); \
            return 1;                                                   \
        }                                                               \
    } while (0)

static int mapped(void) {
    int file = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0640);
    CHECK(file >= 0 && ftruncate(file, 10000) == 0);
    char *place = mmap(0, 10000, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(place != MAP_FAILED);
    memcpy(place + 4094, "stored", 6);
    CHECK(msync(place, 10000, MS_SYNC) == 0);
    char bytes[6];
    CHECK(pread(file, bytes, 6, 4094) == 6 && memcmp(bytes, "stored", 6) == 0);
    CHECK(pwrite(file, "written", 7, 100) == 7 && memcmp(place + 100, "written", 7) == 0);
    /* Into a mapping of the file itself. */
    CHECK(pread(file, place + 8000, 1000, 0) == 1000 && memcmp(place + 8100, "written", 7) == 0);
    memcpy(place, "closed", 6);
    CHECK(close(file) == 0 && munmap(place, 10000) == 0);
    file = open("mapped", O_RDWR);
    place = mmap(0, 10000, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(place != MAP_FAILED && memcmp(place, "closed", 6) == 0);
    /* Nobody unmaps this. */
    memcpy(place + 200, "ended", 5);
    return 0;
}

static int without_a_name(void) {
    struct stat status;
    char bytes[6];
    int file = open("nameless", O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0 && unlink("nameless") == 0);
    CHECK(write(file, "abcdef", 6) == 6 && ftruncate(file, 3) == 0 && fsync(file) == 0);
    CHECK(fstat(file, &status) == 0 && status.st_size == 3 && status.st_nlink == 0);
    CHECK(pread(file, bytes, 6, 0) == 3 && close(file) == 0);
    return 0;
}

static int full(void) {
    static char bytes[1 << 16];
    int file = open("full/file", O_WRONLY | O_CREAT, 0600);
    CHECK(file >= 0);
    ssize_t count;
    while ((count = write(file, bytes, sizeof bytes)) > 0) {
    }
    CHECK(count == -1 && errno == ENOSPC);
    return 0;
}

int main(int count, char **words) {
    char path[4096];
    CHECK(count > 1 && chdir(words[1]) == 0 && getcwd(path, sizeof path) && strcmp(path, words[1]) == 0);
    if (count > 2 && strcmp(words[2], "full") == 0) {
        return full();
    }
    if (count > 2) {
        CHECK(open("file", O_WRONLY) == -1 && errno == EROFS);
        CHECK(mkdir("directory", 0700) == -1 && errno == EROFS);
        CHECK(unlink("file") == -1 && errno == EROFS);
        return 0;
    }
    return mapped() || without_a_name();
}
