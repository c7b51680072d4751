/* Files on a directory that the host shares: what a program may do with them, in the directory it is given. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
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

/* Reads that are large enough to go past the pages that a kernel keeps. */
static int large(void) {
    enum { LENGTH = 3 << 19, PAGE = 4096, MIDDLE = 1 << 20 };
    static unsigned words[PAGE / 4];
    int file = open("large", O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(file >= 0);
    for (unsigned page = 0; page < LENGTH / PAGE; page++) {
        for (unsigned index = 0; index < PAGE / 4; index++)
            words[index] = page * PAGE + index;
        CHECK(write(file, words, PAGE) == PAGE);
    }
    char *place = mmap(0, 2 * LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *shown = mmap(0, LENGTH, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(place != MAP_FAILED && shown != MAP_FAILED);
    /* Into memory that nobody has touched, beside a page's beginning, and once more. */
    for (int round = 0; round < 2; round++) {
        CHECK(pread(file, place + 5, LENGTH, 0) == LENGTH);
        for (unsigned page = 0; page < LENGTH / PAGE; page++) {
            unsigned first, last;
            memcpy(&first, place + 5 + page * PAGE, 4);
            memcpy(&last, place + 5 + page * PAGE + PAGE - 4, 4);
            CHECK(first == page * PAGE && last == page * PAGE + PAGE / 4 - 1);
        }
        memset(place, 0x11, 2 * LENGTH);
    }
    /* What was stored into a mapping counts at once, and what was written too. */
    shown[MIDDLE] = 0x55;
    CHECK(pwrite(file, "new", 3, 300000) == 3);
    CHECK(pread(file, place, LENGTH, 0) == LENGTH);
    CHECK(place[MIDDLE] == 0x55 && memcmp(place + 300000, "new", 3) == 0);
    /* The end comes where it is, and behind it nothing changes. */
    CHECK(pread(file, place, 2 * LENGTH, PAGE) == LENGTH - PAGE && place[LENGTH] == 0x11);
    /* As far as there is memory for it. */
    CHECK(mprotect(place + MIDDLE, PAGE, PROT_READ) == 0);
    long count = pread(file, place, LENGTH, 0);
    CHECK(count > 0 && count <= MIDDLE && close(file) == 0);
    return 0;
}

/* Fills the file system. What was written before stays, and so does what is stored in memory until there is room. */
static int full(void) {
    static char bytes[1 << 16];
    int kept = open("full/kept", O_RDWR | O_CREAT, 0600);
    CHECK(kept >= 0 && write(kept, bytes, 8192) == 8192 && pwrite(kept, "before", 6, 0) == 6);
    char *place = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, kept, 0);
    CHECK(place != MAP_FAILED);
    int file = open("full/file", O_WRONLY | O_CREAT, 0600);
    CHECK(file >= 0);
    ssize_t count;
    while ((count = write(file, bytes, sizeof bytes)) > 0) {
    }
    CHECK(count == -1 && errno == ENOSPC);
    CHECK(pwrite(file, bytes, 1, 4 << 20) == -1 && errno == ENOSPC);
    int other = open("full/other", O_WRONLY | O_CREAT, 0600);
    CHECK(other >= 0 && write(other, bytes, 1) == -1 && errno == ENOSPC);
    memcpy(place + 4096, "stored", 6);
    CHECK(msync(place, 8192, MS_SYNC) == 0 && fsync(kept) == 0 && pread(kept, bytes, 8192, 0) == 8192);
    CHECK(memcmp(bytes, "before", 6) == 0 && memcmp(bytes + 4096, "stored", 6) == 0);
    CHECK(ftruncate(file, 4096) == 0 && write(other, "again", 5) == 5 && fsync(other) == 0);
    return 0;
}

static sigjmp_buf back;
static siginfo_t told;

static void note(int number, siginfo_t *information, void *context) {
    (void)number, (void)context;
    told = *information;
    siglongjmp(back, 1);
}

/* Stores into a mapping of a file that the file system has no room for. Where the stores are the host's own, one of them
   is a SIGBUS; where they go to pages that are written back, that says it. */
static int stored(void) {
    static char bytes[1 << 16];
    enum { PAGE = 4096, LENGTH = 2 << 20 };
    int file = open("full/large", O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0 && ftruncate(file, LENGTH) == 0);
    char *place = mmap(0, LENGTH, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(place != MAP_FAILED);
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGBUS, &action, 0) == 0);
    volatile int at = 0;
    if (sigsetjmp(back, 1) == 0) {
        for (; at < LENGTH; at += PAGE)
            place[at] = 1;
        CHECK(msync(place, LENGTH, MS_SYNC) == -1 && errno == ENOSPC);
        CHECK(fsync(file) == -1 && errno == ENOSPC);
    } else {
        CHECK(told.si_signo == SIGBUS && told.si_code == BUS_ADRERR && told.si_addr == place + at && at > 0);
        /* The kernel's own accesses there are an error. */
        int zeros = open("full/file", O_RDWR | O_CREAT, 0600);
        CHECK(zeros >= 0 && ftruncate(zeros, 1) == 0 && read(zeros, place + at, 1) == -1 && errno == EFAULT);
    }
    CHECK(ftruncate(file, 0) == 0 && munmap(place, LENGTH) == 0 && pwrite(file, bytes, 10, 0) == 10 && fsync(file) == 0);
    /* What may not be written is another thing, also where the file has ended. */
    char *shown = mmap(0, 2 * PAGE, PROT_READ, MAP_SHARED, file, 0);
    CHECK(shown != MAP_FAILED && sigaction(SIGSEGV, &action, 0) == 0);
    for (volatile int page = 0; page < 2; page++) {
        if (sigsetjmp(back, 1) == 0) {
            shown[page * PAGE] = 1;
            return 1;
        }
        CHECK(told.si_signo == SIGSEGV && told.si_code == SEGV_ACCERR && told.si_addr == shown + page * PAGE);
    }
    return 0;
}

/* Says a line and waits for the host's. */
static int wait_for_host(void) {
    char line[16];
    CHECK(write(1, "ready\n", 6) == 6 && read(0, line, sizeof line) > 0);
    return 0;
}

/* The host's file system becomes one that only reads. */
static int turns(void) {
    char bytes[6];
    int file = open("turns/file", O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0 && write(file, "before", 6) == 6 && fsync(file) == 0 && close(file) == 0);
    CHECK(mkdir("turns/folder", 0700) == 0 && wait_for_host() == 0);
    CHECK(open("turns/file", O_RDWR) == -1 && errno == EROFS);
    CHECK(open("turns/other", O_WRONLY | O_CREAT, 0600) == -1 && errno == EROFS);
    CHECK(mkdir("turns/more", 0700) == -1 && errno == EROFS);
    CHECK(unlink("turns/file") == -1 && errno == EROFS);
    CHECK(rename("turns/file", "turns/other") == -1 && errno == EROFS);
    CHECK(rmdir("turns/folder") == -1 && errno == EROFS);
    CHECK(chmod("turns/file", 0400) == -1 && errno == EROFS);
    CHECK(truncate("turns/file", 0) == -1 && errno == EROFS);
    CHECK((file = open("turns/file", O_RDONLY)) >= 0 && read(file, bytes, 6) == 6 && memcmp(bytes, "before", 6) == 0);
    return 0;
}

/* The host removes a file that is open, one that is mapped, and a directory. */
static int vanishes(void) {
    char bytes[6];
    struct stat status;
    int file = open("open", O_RDWR | O_CREAT, 0600), shown = open("mapped", O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0 && shown >= 0 && write(file, "before", 6) == 6 && ftruncate(shown, 8192) == 0);
    char *place = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, shown, 0);
    CHECK(place != MAP_FAILED && memcpy(place + 4096, "stored", 6));
    int folder = open("folder", O_RDONLY | O_DIRECTORY);
    CHECK(folder >= 0 && wait_for_host() == 0);
    CHECK(open("open", O_RDWR) == -1 && errno == ENOENT);
    CHECK(stat("folder/inside", &status) == -1 && errno == ENOENT);
    CHECK(openat(folder, "inside", O_RDWR) == -1 && (errno == ENOENT || errno == ESTALE));
    CHECK(mkdirat(folder, "more", 0700) == -1 && (errno == ENOENT || errno == ESTALE));
    /* What is open goes on, as on Linux. */
    CHECK(pread(file, bytes, 6, 0) == 6 && memcmp(bytes, "before", 6) == 0);
    CHECK(pwrite(file, "behind", 6, 6) == 6 && pread(file, bytes, 6, 6) == 6 && memcmp(bytes, "behind", 6) == 0);
    CHECK(memcmp(place + 4096, "stored", 6) == 0 && msync(place, 8192, MS_SYNC) == 0);
    /* Another file of that name is another file. */
    CHECK((file = open("open", O_WRONLY | O_CREAT | O_EXCL, 0600)) >= 0 && write(file, "fresh", 5) == 5);
    return 0;
}

/* No file may become longer. */
static int limited(void) {
    static char bytes[8192];
    signal(SIGXFSZ, SIG_IGN);
    int file = open("limited", O_RDWR | O_CREAT, 0600);
    struct rlimit limit = {.rlim_cur = 6000, .rlim_max = RLIM_INFINITY};
    CHECK(file >= 0 && setrlimit(RLIMIT_FSIZE, &limit) == 0);
    CHECK(write(file, bytes, 8192) == 6000);
    CHECK(write(file, bytes, 1) == -1 && errno == EFBIG);
    CHECK(pwrite(file, bytes, 10, 5995) == 5 && ftruncate(file, 6001) == -1 && errno == EFBIG);
    CHECK(posix_fallocate(file, 0, 7000) == EFBIG);
    return 0;
}

int main(int count, char **words) {
    static const struct { const char *name; int (*run)(void); } ways[] = {
        {"full", full}, {"stored", stored}, {"turns", turns}, {"vanishes", vanishes}, {"limited", limited},
    };
    char path[4096];
    CHECK(count > 1 && chdir(words[1]) == 0 && getcwd(path, sizeof path) && strcmp(path, words[1]) == 0);
    for (size_t way = 0; count > 2 && way < sizeof ways / sizeof *ways; way++) {
        if (strcmp(words[2], ways[way].name) == 0) {
            return ways[way].run();
        }
    }
    if (count > 2) {
        CHECK(open("file", O_WRONLY) == -1 && errno == EROFS);
        CHECK(mkdir("directory", 0700) == -1 && errno == EROFS);
        CHECK(unlink("file") == -1 && errno == EROFS);
        return 0;
    }
    return mapped() || without_a_name() || large();
}
