// memory.c: what a mapping's flags and advice about it mean: growing stacks, moving, larger pages, which pages are
// there.
#include "check.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <sys/resource.h>

// musl's headers end before these (madvise(2), Linux 5.14).
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

enum { PAGE = 4096, LARGE = 2 << 20 };
static sigjmp_buf escape;

static void leap(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    siglongjmp(escape, 1);
}

// Whether writing the byte raises SIGSEGV.
static int faults(volatile char *address) {
    handle(SIGSEGV, leap, 0);
    int faulted = sigsetjmp(escape, 1);
    if (!faulted) *address = 1;
    signal(SIGSEGV, SIG_DFL);
    return faulted;
}

static char *map(char *wish, size_t size, int protection, int flags) {
    char *address = mmap(wish, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return address == MAP_FAILED ? NULL : address;
}

enum { BOTH = PROT_READ | PROT_WRITE };

// How many of the pages are in memory, or -1.
static int resident(char *address, int pages) {
    unsigned char there[64] = {0};
    int count = 0;
    if (pages > 64 || mincore(address, (size_t)pages * PAGE, there) != 0) return -1;
    for (int page = 0; page < pages; page++) count += there[page] & 1;
    return count;
}

static const char *pages_come_when_touched(void) {
    char *area = map(NULL, 16 * PAGE, BOTH, 0);
    REQUIRE(area && resident(area, 16) == 0);
    area[3 * PAGE] = area[9 * PAGE] = 1;
    REQUIRE(resident(area, 16) == 2);
    REQUIRE(madvise(area + 3 * PAGE, PAGE, MADV_DONTNEED) == 0 && resident(area, 16) == 1);
    REQUIRE(munmap(area + 8 * PAGE, PAGE) == 0);
    REQUIRE_ERROR(resident(area, 16), ENOMEM);
    return munmap(area, 16 * PAGE) == 0 ? NULL : "munmap";
}

static const char *pages_come_at_once(void) {
    char *area = map(NULL, 16 * PAGE, BOTH, MAP_POPULATE);
    REQUIRE(area && resident(area, 16) == 16 && area[15 * PAGE] == 0);
    REQUIRE(munmap(area, 16 * PAGE) == 0);
    area = map(NULL, 16 * PAGE, BOTH, MAP_STACK | MAP_NORESERVE);
    REQUIRE(area && mlock(area + PAGE, PAGE + 1) == 0 && resident(area, 16) == 2 && munlock(area, 4 * PAGE) == 0);
    REQUIRE(madvise(area + 4 * PAGE, 2 * PAGE, MADV_POPULATE_WRITE) == 0 && resident(area, 16) == 4);
    REQUIRE(madvise(area + 6 * PAGE, 2 * PAGE, MADV_POPULATE_READ) == 0);
    REQUIRE(mprotect(area, PAGE, PROT_NONE) == 0 && mprotect(area + PAGE, PAGE, PROT_READ) == 0);
    REQUIRE_ERROR(mlock(area, PAGE), ENOMEM);
    REQUIRE_ERROR(madvise(area, PAGE, MADV_POPULATE_READ), EINVAL);
    REQUIRE_ERROR(madvise(area + PAGE, PAGE, MADV_POPULATE_WRITE), EINVAL);
    REQUIRE(munmap(area, 16 * PAGE) == 0);
    REQUIRE_ERROR(madvise(area, PAGE, MADV_POPULATE_READ), ENOMEM);
    return NULL;
}

static const char *advice(void) {
    static const int accepted[] = {MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE,
                                   MADV_DONTFORK, MADV_DOFORK, MADV_DONTDUMP, MADV_DODUMP, MADV_WIPEONFORK,
                                   MADV_KEEPONFORK, MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_COLD, MADV_PAGEOUT};
    char *area = map(NULL, 4 * PAGE, BOTH, 0);
    for (size_t index = 0; index < sizeof accepted / sizeof *accepted; index++) {
        REQUIRE(madvise(area, 4 * PAGE, accepted[index]) == 0);
        REQUIRE_ERROR(madvise(area + 1, PAGE, accepted[index]), EINVAL);
    }
    REQUIRE_ERROR(madvise(area, PAGE, 12345), EINVAL);
    REQUIRE_ERROR(madvise(area, PAGE, MADV_REMOVE), EINVAL);
    REQUIRE(madvise(area, 0, MADV_DONTNEED) == 0 && munmap(area + PAGE, PAGE) == 0);
    area[0] = area[2 * PAGE] = 5;
    // What is mapped on both sides of a hole is followed.
    REQUIRE_ERROR(madvise(area, 3 * PAGE, MADV_DONTNEED), ENOMEM);
    REQUIRE(area[0] == 0 && area[2 * PAGE] == 0);
    return munmap(area, 4 * PAGE) == 0 ? NULL : "munmap";
}

static const char *flags_that_are_refused(void) {
    int shared = MAP_SHARED | MAP_ANONYMOUS;
    REQUIRE_ERROR((long)mmap(NULL, PAGE, BOTH, shared | MAP_GROWSDOWN, -1, 0), EINVAL);
    REQUIRE_ERROR((long)mmap(NULL, PAGE, BOTH, MAP_SHARED_VALIDATE | MAP_ANONYMOUS, -1, 0), EINVAL);
    REQUIRE_ERROR((long)mmap(NULL, PAGE, BOTH, MAP_ANONYMOUS, -1, 0), EINVAL);
    REQUIRE_ERROR((long)mmap(NULL, LARGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0), ENOMEM);
    char *area = map(NULL, 2 * PAGE, BOTH, 0);
    REQUIRE_ERROR(mprotect(area, PAGE, BOTH | PROT_GROWSDOWN), EINVAL);
    REQUIRE_ERROR(mprotect(area, PAGE, BOTH | PROT_GROWSUP), EINVAL);
    return munmap(area, 2 * PAGE) == 0 ? NULL : "munmap";
}

static const char *moving(void) {
    char *area = map(NULL, 8 * PAGE, BOTH, 0);
    for (int page = 0; page < 8; page++) area[page * PAGE] = 20 + page;
    REQUIRE(munmap(area + 4 * PAGE, 4 * PAGE) == 0);
    // Into the room behind it, without leave to move.
    REQUIRE(mremap(area, 4 * PAGE, 8 * PAGE, 0) == area && area[3 * PAGE] == 23 && area[4 * PAGE] == 0);
    // Elsewhere, and the old pages stay mapped, empty.
    char *other = mremap(area, 8 * PAGE, 8 * PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP);
    REQUIRE(other != MAP_FAILED && other != area && other[3 * PAGE] == 23 && area[3 * PAGE] == 0);
    area[PAGE] = 99;
    REQUIRE(other[PAGE] == 21);
    REQUIRE(mremap(other, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, area) == area);
    REQUIRE(area[0] == 20 && other[0] == 0 && area[PAGE] == 99);
    REQUIRE_ERROR((long)mremap(other, PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP), EINVAL);
    REQUIRE_ERROR((long)mremap(other, PAGE, PAGE, MREMAP_DONTUNMAP), EINVAL);
    REQUIRE_ERROR((long)mremap(other, PAGE, PAGE, MREMAP_FIXED, area), EINVAL);
    REQUIRE_ERROR((long)mremap(other, 2 * PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, other + PAGE), EINVAL);
    // One that cannot grow where it is.
    REQUIRE_ERROR((long)mremap(other, PAGE, 2 * PAGE, 0), ENOMEM);
    REQUIRE(munmap(other + 2 * PAGE, PAGE) == 0);
    REQUIRE_ERROR((long)mremap(other, 4 * PAGE, 8 * PAGE, MREMAP_MAYMOVE), EFAULT);
    return munmap(area, 8 * PAGE) == 0 && munmap(other, 8 * PAGE) == 0 ? NULL : "munmap";
}

static const char *large_pages(void) {
    // Room for several, aligned; one is asked for, and then parts of it become different.
    char *area = map(NULL, 8 * LARGE, BOTH, 0);
    REQUIRE(area);
    char *large = (char *)(((uintptr_t)area + LARGE - 1) & -(uintptr_t)LARGE);
    REQUIRE(madvise(area, 8 * LARGE, MADV_HUGEPAGE) == 0);
    for (size_t page = 0; page < 4 * LARGE / PAGE; page++) {
        REQUIRE(large[page * PAGE] == 0 && large[page * PAGE + PAGE - 1] == 0);
        large[page * PAGE] = page % 100 + 1;
    }
    REQUIRE(mprotect(large + 7 * PAGE, PAGE, PROT_READ) == 0 && faults(large + 7 * PAGE) && !faults(large + 8 * PAGE + 8));
    REQUIRE(madvise(large + LARGE + 9 * PAGE, PAGE, MADV_DONTNEED) == 0 && large[LARGE + 9 * PAGE] == 0);
    REQUIRE(munmap(large + 2 * LARGE + 5 * PAGE, 10 * PAGE) == 0 && faults(large + 2 * LARGE + 5 * PAGE));
    // Moved by a distance that is none of large pages.
    char *place = map(NULL, 4 * LARGE, PROT_NONE, 0);
    char *target = (char *)(((uintptr_t)place + LARGE - 1) & -(uintptr_t)LARGE) + 3 * PAGE;
    REQUIRE(mremap(large + 3 * LARGE, LARGE, LARGE, MREMAP_MAYMOVE | MREMAP_FIXED, target) == target);
    for (size_t page = 0; page < 3 * LARGE / PAGE; page++) {
        if (page == LARGE / PAGE + 9 || (page >= 2 * LARGE / PAGE + 5 && page < 2 * LARGE / PAGE + 15)) continue;
        REQUIRE(large[page * PAGE] == (char)(page % 100 + 1));
    }
    for (size_t page = 0; page < LARGE / PAGE; page++)
        REQUIRE(target[page * PAGE] == (char)((3 * LARGE / PAGE + page) % 100 + 1));
    REQUIRE(munmap(place, 4 * LARGE) == 0);
    return munmap(area, 8 * LARGE) == 0 ? NULL : "munmap";
}

static const char *mappings_that_grow_down(void) {
    char *room = map(NULL, 6 << 20, PROT_NONE, 0);
    REQUIRE(room && munmap(room, 6 << 20) == 0);
    char *stack = map(room + (5 << 20), PAGE, BOTH, MAP_GROWSDOWN | MAP_FIXED_NOREPLACE);
    REQUIRE(stack == room + (5 << 20));
    REQUIRE(!faults(stack - PAGE) && !faults(stack - (2 << 20)) && stack[-PAGE] == 1);
    // A neighbour it must stay a megabyte apart from, unless that is only a guard.
    REQUIRE(map(room + (1 << 20), PAGE, BOTH, MAP_FIXED_NOREPLACE) && faults(room + (1 << 20) + 2 * PAGE));
    REQUIRE(mprotect(room + (1 << 20), PAGE, PROT_NONE) == 0 && !faults(room + (1 << 20) + 2 * PAGE));
    REQUIRE(faults(room + (1 << 20)));
    return munmap(room, 6 << 20) == 0 ? NULL : "munmap";
}

// Touches a byte so far below the caller's frame, and then the way there.
static int __attribute__((noinline)) dig(size_t depth) {
    volatile char *block = __builtin_alloca(depth);
    block[0] = 1;
    for (size_t offset = 0; offset < depth; offset += PAGE) block[offset] = 2;
    return block[0];
}

static const char *main_stack_grows(void) {
    struct rlimit before, limit;
    REQUIRE(getrlimit(RLIMIT_STACK, &before) == 0 && dig(6 << 20) == 2);
    limit = before;
    limit.rlim_cur = 48 << 20;
    REQUIRE(setrlimit(RLIMIT_STACK, &limit) == 0 && dig(40 << 20) == 2);
    return setrlimit(RLIMIT_STACK, &before) == 0 ? NULL : "setrlimit";
}

const struct test memory_tests[] = {
    {"pages_come_when_touched", pages_come_when_touched},
    {"pages_come_at_once", pages_come_at_once},
    {"advice", advice},
    {"flags_that_are_refused", flags_that_are_refused},
    {"moving", moving},
    {"large_pages", large_pages},
    {"mappings_that_grow_down", mappings_that_grow_down},
    {"main_stack_grows", main_stack_grows},
    {NULL, NULL},
};
