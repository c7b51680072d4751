// locked.c: what keeps memory: locked pages and what they count, seals, and limits of data.
#include "tests.h"

#include <sys/resource.h>

enum { BOTH = PROT_READ | PROT_WRITE, MSEAL = 462 };

static char *map(int pages) {
    char *place = mmap(NULL, (size_t)pages * PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(place != MAP_FAILED);
    return place;
}

// The kilobytes behind a word, summed over the lines of a file that begin with it; -1 if there is none.
static long kilobytes(const char *path, const char *word) {
    FILE *file = fopen(path, "r");
    char line[512];
    long sum = -1;
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, word, strlen(word)) == 0) sum = (sum < 0 ? 0 : sum) + atol(line + strlen(word));
    CHECK(fclose(file) == 0);
    return sum;
}

static void counted(void) {
    char *place = map(16);
    CHECK(kilobytes("/proc/self/status", "VmLck:") == 0);
    CHECK(mlock(place + 5, 4 * PAGE) == 0 && kilobytes("/proc/self/status", "VmLck:") == 20);
    CHECK(mlock(place, 8 * PAGE) == 0 && kilobytes("/proc/self/status", "VmLck:") == 32);
    CHECK(kilobytes("/proc/self/smaps", "Locked:") == 32);
    CHECK(munlock(place + 2 * PAGE, PAGE) == 0 && kilobytes("/proc/self/status", "VmLck:") == 28);
    CHECK(munmap(place + PAGE, 3 * PAGE) == 0 && kilobytes("/proc/self/status", "VmLck:") == 20);
    char *locked = mmap(NULL, 2 * PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
    CHECK(locked != MAP_FAILED && kilobytes("/proc/self/status", "VmLck:") == 28);
    locked = mremap(locked, 2 * PAGE, 8 * PAGE, MREMAP_MAYMOVE);
    CHECK(locked != MAP_FAILED && kilobytes("/proc/self/status", "VmLck:") == 52);
    CHECK(munmap(locked, 8 * PAGE) == 0 && munlockall() == 0 && kilobytes("/proc/self/status", "VmLck:") == 0);
    CHECK(munmap(place, 16 * PAGE) == 0);
}

static void kept(void) {
    char *place = map(4);
    memset(place, 'k', 4 * PAGE);
    CHECK(mlock(place + PAGE, PAGE) == 0);
    CHECK_ERROR(msync(place, 4 * PAGE, MS_SYNC | MS_INVALIDATE), EBUSY);
    CHECK(msync(place, 4 * PAGE, MS_SYNC) == 0 && msync(place + 2 * PAGE, PAGE, MS_INVALIDATE) == 0);
    CHECK_ERROR(madvise(place + PAGE, PAGE, MADV_DONTNEED), EINVAL);
    CHECK_ERROR(madvise(place + PAGE, PAGE, MADV_FREE), EINVAL);
    CHECK(place[PAGE] == 'k' && madvise(place + PAGE, PAGE, 24 /* MADV_DONTNEED_LOCKED */) == 0 && place[PAGE] == 0);
    CHECK(munlock(place, 4 * PAGE) == 0 && madvise(place, 4 * PAGE, MADV_DONTNEED) == 0 && place[0] == 0);
    CHECK(munmap(place, 4 * PAGE) == 0);
}

static void future(void) {
    CHECK_ERROR(mlockall(0), EINVAL);
    CHECK_ERROR(mlockall(MCL_ONFAULT), EINVAL);
    CHECK(mlockall(MCL_FUTURE) == 0);
    char *place = map(4);
    CHECK(kilobytes("/proc/self/status", "VmLck:") == 16);
    CHECK(munlockall() == 0 && kilobytes("/proc/self/status", "VmLck:") == 0 && munmap(place, 4 * PAGE) == 0);
}

// Whether all pages are in memory, or none.
static int are_present(char *place, int pages, int present) {
    unsigned char each[16];
    CHECK(pages <= 16 && mincore(place, (size_t)pages * PAGE, each) == 0);
    for (int page = 0; page < pages; page++)
        if ((each[page] & 1) != present) return 0;
    return 1;
}

// Locked pages come at once, or when they are touched.
static void present(void) {
    char *place = map(4);
    CHECK(are_present(place, 4, 0) && mlockall(MCL_CURRENT | MCL_ONFAULT) == 0 && are_present(place, 4, 0));
    CHECK(mlockall(MCL_CURRENT) == 0 && are_present(place, 4, 1) && munlockall() == 0 && munmap(place, 4 * PAGE) == 0);
    CHECK(mlockall(MCL_FUTURE | MCL_ONFAULT) == 0 && are_present(place = map(4), 4, 0) && munmap(place, 4 * PAGE) == 0);
    CHECK(mlockall(MCL_FUTURE) == 0 && are_present(place = map(4), 4, 1) && munmap(place, 4 * PAGE) == 0);
    char *top = sbrk(0);
    CHECK(sbrk(2 * PAGE) == top);
    char *whole = (char *)(((uintptr_t)top + PAGE - 1) & -(uintptr_t)PAGE);
    CHECK(are_present(whole, 1, 1) && sbrk(-2 * PAGE) == top + 2 * PAGE && munlockall() == 0);
    place = map(4);
    CHECK(syscall(SYS_mlock2, place, 4 * PAGE, MLOCK_ONFAULT) == 0 && are_present(place, 4, 0));
    CHECK(kilobytes("/proc/self/status", "VmLck:") == 16 && mlock(place, 4 * PAGE) == 0 && are_present(place, 4, 1));
    CHECK_ERROR(syscall(SYS_mlock2, place, 4 * PAGE, 2), EINVAL);
    CHECK(munmap(place, 4 * PAGE) == 0);
}

// Who is not root may lock as much as RLIMIT_MEMLOCK says.
static void limited(void) {
    if (geteuid() != 0) return;
    struct rlimit before, limit;
    CHECK(getrlimit(RLIMIT_MEMLOCK, &before) == 0);
    limit = before;
    limit.rlim_cur = 4 * PAGE;
    char *place = map(8);
    CHECK(setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && mlock(place, 8 * PAGE) == 0 && munlock(place, 8 * PAGE) == 0);
    CHECK(syscall(SYS_setresuid, -1, 65534, -1) == 0);
    CHECK(mlock(place, 3 * PAGE) == 0 && mlock(place, 4 * PAGE) == 0);
    CHECK_ERROR(mlock(place, 5 * PAGE), ENOMEM);
    errno = 0;
    CHECK(mmap(NULL, PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0) == MAP_FAILED && errno == EAGAIN);
    CHECK_ERROR(mlockall(MCL_CURRENT), ENOMEM);
    // What comes is held to it too, also where it grows.
    CHECK(munlock(place, 8 * PAGE) == 0 && mlockall(MCL_FUTURE) == 0);
    char *two = map(2);
    errno = 0;
    CHECK(mmap(NULL, 3 * PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EAGAIN);
    errno = 0;
    CHECK(mremap(two, 2 * PAGE, 5 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED && errno == EAGAIN);
    char *top = sbrk(0);
    CHECK(sbrk(3 * PAGE) == (void *)-1 && errno == ENOMEM && sbrk(PAGE) == top && sbrk(-PAGE) == top + PAGE);
    CHECK(munlockall() == 0 && munmap(two, 2 * PAGE) == 0);
    limit.rlim_cur = 0;
    CHECK(munlock(place, 8 * PAGE) == 0 && setrlimit(RLIMIT_MEMLOCK, &limit) == 0);
    CHECK_ERROR(mlock(place, PAGE), EPERM);
    CHECK_ERROR(mlockall(MCL_CURRENT), EPERM);
    errno = 0;
    CHECK(mmap(NULL, PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0) == MAP_FAILED && errno == EPERM);
    CHECK(syscall(SYS_setresuid, -1, 0, -1) == 0 && setrlimit(RLIMIT_MEMLOCK, &before) == 0);
    CHECK(munmap(place, 8 * PAGE) == 0);
}

// The sizes are far beyond what tests before this one have left.
static void data(void) {
    enum { ANONYMOUS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };
    struct rlimit before, limit;
    CHECK(getrlimit(RLIMIT_DATA, &before) == 0);
    limit = before;
    limit.rlim_cur = 512 << 20;
    CHECK(setrlimit(RLIMIT_DATA, &limit) == 0);
    errno = 0;
    CHECK(mmap(NULL, 512 << 20, BOTH, ANONYMOUS, -1, 0) == MAP_FAILED && errno == ENOMEM);
    // What is not written, or shared, is no data, as long as it is not.
    char *reader = mmap(NULL, 512 << 20, PROT_READ, ANONYMOUS, -1, 0);
    char *shared = mmap(NULL, 512 << 20, BOTH, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(reader != MAP_FAILED && shared != MAP_FAILED);
    CHECK_ERROR(mprotect(reader, 512 << 20, BOTH), ENOMEM);
    CHECK(mprotect(reader, 256 << 20, BOTH) == 0);
    errno = 0;
    CHECK(mmap(NULL, 320 << 20, BOTH, ANONYMOUS, -1, 0) == MAP_FAILED && errno == ENOMEM);
    errno = 0;
    CHECK(mremap(reader, 256 << 20, 576 << 20, MREMAP_MAYMOVE) == MAP_FAILED && errno == ENOMEM);
    CHECK(munmap(reader, 512 << 20) == 0 && munmap(shared, 512 << 20) == 0);
    reader = mmap(NULL, 320 << 20, BOTH, ANONYMOUS, -1, 0);
    CHECK(reader != MAP_FAILED && munmap(reader, 320 << 20) == 0);
    char *top = sbrk(0);
    CHECK(sbrk(PAGE) == top && sbrk(512 << 20) == (void *)-1 && errno == ENOMEM && sbrk(-PAGE) == top + PAGE);
    // What goes is not counted.
    reader = mmap(NULL, 320 << 20, BOTH, ANONYMOUS, -1, 0);
    CHECK(mmap(reader, 320 << 20, BOTH, ANONYMOUS | MAP_FIXED, -1, 0) == reader);
    CHECK(mmap(reader, 576 << 20, BOTH, ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED);
    CHECK(munmap(reader, 320 << 20) == 0);
    // A limit of 0 binds only the break.
    limit.rlim_cur = 0;
    CHECK(setrlimit(RLIMIT_DATA, &limit) == 0 && sbrk(PAGE) == (void *)-1);
    CHECK(munmap(map(4), 4 * PAGE) == 0 && setrlimit(RLIMIT_DATA, &before) == 0);
}

static void sealed(void) {
    char *place = map(8);
    memset(place, 's', 8 * PAGE);
    if (syscall(MSEAL, place, PAGE, 1UL) == -1 && errno == ENOSYS) return;
    CHECK_ERROR(syscall(MSEAL, place, PAGE, 1UL), EINVAL);
    CHECK_ERROR(syscall(MSEAL, place + 1, PAGE, 0UL), EINVAL);
    CHECK(syscall(MSEAL, place, 0UL, 0UL) == 0 && munmap(place + 7 * PAGE, PAGE) == 0);
    CHECK_ERROR(syscall(MSEAL, place, 8UL * PAGE, 0UL), ENOMEM);
    CHECK(mprotect(place + 3 * PAGE, PAGE, PROT_READ) == 0 && syscall(MSEAL, place + 2 * PAGE, 2UL * PAGE, 0UL) == 0);
    CHECK_ERROR(munmap(place, 7 * PAGE), EPERM);
    CHECK_ERROR(mprotect(place + 2 * PAGE, PAGE, PROT_READ), EPERM);
    CHECK(mremap(place + 2 * PAGE, PAGE, 2 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED && errno == EPERM);
    CHECK(mmap(place + 3 * PAGE, PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED);
    CHECK(errno == EPERM);
    CHECK(mremap(place, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place + 2 * PAGE) == MAP_FAILED && errno == EPERM);
    CHECK_ERROR(madvise(place + 3 * PAGE, PAGE, MADV_DONTNEED), EPERM);
    CHECK(madvise(place + 2 * PAGE, PAGE, MADV_DONTNEED) == 0 && place[2 * PAGE] == 0 && place[3 * PAGE] == 's');
    CHECK(mlock(place + 2 * PAGE, PAGE) == 0 && munlock(place + 2 * PAGE, PAGE) == 0);
    CHECK(munmap(place, 2 * PAGE) == 0 && munmap(place + 4 * PAGE, 3 * PAGE) == 0);
}

const struct test locked_tests[] = {
    {"counted_locked", counted}, {"kept_locked", kept},       {"future_locked", future},
    {"present_locked", present}, {"limited_locked", limited}, {"limited_data", data},
    {"sealed", sealed},          {NULL, NULL},
};
