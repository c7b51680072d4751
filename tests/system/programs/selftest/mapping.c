// mapping.c: mmap(2), munmap(2), mprotect(2), mremap(2), madvise(2), and what touching the result does.
#include "check.h"

#include <fcntl.h>
#include <setjmp.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
static sigjmp_buf escape;

static void leap(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    siglongjmp(escape, 1);
}

// Whether reading or writing the byte raises SIGSEGV.
static int faults(volatile char *address, int write) {
    handle(SIGSEGV, leap, 0);
    int faulted = sigsetjmp(escape, 1);
    if (!faulted) {
        if (write) *address = *address;
        else (void)*address;
    }
    signal(SIGSEGV, SIG_DFL);
    return faulted;
}

static char *map(size_t pages, int protection) {
    char *address = mmap(NULL, pages * PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return address == MAP_FAILED ? NULL : address;
}

static const char *map_and_unmap(void) {
    char *area = map(16, PROT_READ | PROT_WRITE);
    REQUIRE(area && (uintptr_t)area % PAGE == 0);
    for (int page = 0; page < 16; page++) {
        REQUIRE(area[page * PAGE] == 0 && area[page * PAGE + PAGE - 1] == 0);
        area[page * PAGE] = page;
    }
    REQUIRE(munmap(area + 4 * PAGE, 3 * PAGE) == 0);
    REQUIRE(faults(area + 4 * PAGE, 0) && faults(area + 6 * PAGE, 1));
    REQUIRE(area[3 * PAGE] == 3 && area[7 * PAGE] == 7);
    REQUIRE(munmap(area, 16 * PAGE) == 0 && faults(area, 0));
    REQUIRE_ERROR(munmap(area + 1, PAGE), EINVAL);
    REQUIRE_ERROR((long)mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), EINVAL);
    REQUIRE_ERROR((long)mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, 999, 0), EBADF);
    REQUIRE_ERROR((long)mmap(NULL, 1ul << 62, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), ENOMEM);
    return NULL;
}

static const char *map_fixed(void) {
    char *area = map(8, PROT_READ | PROT_WRITE);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    memset(area, 1, 8 * PAGE);
    REQUIRE(mmap(area + PAGE, PAGE, PROT_READ, flags | MAP_FIXED, -1, 0) == area + PAGE);
    REQUIRE(area[0] == 1 && area[PAGE] == 0 && area[2 * PAGE] == 1);
    REQUIRE_ERROR((long)mmap(area, PAGE, PROT_READ, flags | MAP_FIXED_NOREPLACE, -1, 0), EEXIST);
    REQUIRE_ERROR((long)mmap(area + 1, PAGE, PROT_READ, flags | MAP_FIXED, -1, 0), EINVAL);
    REQUIRE(munmap(area, 8 * PAGE) == 0);
    REQUIRE(mmap(area, PAGE, PROT_READ, flags | MAP_FIXED_NOREPLACE, -1, 0) == area);
    return munmap(area, PAGE) == 0 ? NULL : "munmap";
}

static const char *protection(void) {
    char *area = map(4, PROT_READ | PROT_WRITE);
    memset(area, 9, 4 * PAGE);
    REQUIRE(mprotect(area + PAGE, PAGE, PROT_READ) == 0);
    REQUIRE(!faults(area + PAGE, 0) && faults(area + PAGE, 1) && !faults(area, 1) && !faults(area + 2 * PAGE, 1));
    REQUIRE(mprotect(area + PAGE, PAGE, PROT_NONE) == 0 && faults(area + PAGE, 0));
    REQUIRE(mprotect(area + PAGE, PAGE, PROT_READ | PROT_WRITE) == 0 && area[PAGE] == 9 && !faults(area + PAGE, 1));
    REQUIRE(munmap(area + 3 * PAGE, PAGE) == 0);
    REQUIRE_ERROR(mprotect(area + 3 * PAGE, PAGE, PROT_READ), ENOMEM);
    REQUIRE_ERROR(syscall(SYS_mprotect, area + 1, PAGE, PROT_READ), EINVAL);
    return munmap(area, 3 * PAGE) == 0 ? NULL : "munmap";
}

static const char *remapping(void) {
    char *area = map(4, PROT_READ | PROT_WRITE);
    for (int page = 0; page < 4; page++) area[page * PAGE] = 10 + page;
    char *larger = mremap(area, 4 * PAGE, 400 * PAGE, MREMAP_MAYMOVE);
    REQUIRE(larger != MAP_FAILED);
    for (int page = 0; page < 4; page++) REQUIRE(larger[page * PAGE] == 10 + page);
    REQUIRE(larger[399 * PAGE] == 0);
    REQUIRE(mremap(larger, 400 * PAGE, 2 * PAGE, 0) == larger);
    REQUIRE(larger[PAGE] == 11 && faults(larger + 2 * PAGE, 0));
    char *place = map(8, PROT_READ);
    REQUIRE(mremap(larger, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place);
    REQUIRE(place[0] == 10 && place[PAGE] == 11 && faults(larger, 0));
    REQUIRE_ERROR((long)mremap(place + 1, PAGE, PAGE, 0), EINVAL);
    return munmap(place, 8 * PAGE) == 0 ? NULL : "munmap";
}

static const char *discarding(void) {
    char *area = map(4, PROT_READ | PROT_WRITE);
    memset(area, 3, 4 * PAGE);
    REQUIRE(madvise(area + PAGE, 2 * PAGE, MADV_DONTNEED) == 0);
    REQUIRE(area[0] == 3 && area[PAGE] == 0 && area[2 * PAGE] == 0 && area[3 * PAGE] == 3);
    return munmap(area, 4 * PAGE) == 0 ? NULL : "munmap";
}

static const char *file_mapping(void) {
    char text[6000], name[] = "/tmp/mappingXXXXXX";
    int file = mkstemp(name);
    for (size_t index = 0; index < sizeof text; index++) text[index] = index * 31;
    REQUIRE(file >= 0 && write(file, text, sizeof text) == (ssize_t)sizeof text);
    char *area = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    REQUIRE(area != MAP_FAILED && memcmp(area, text, sizeof text) == 0);
    for (size_t index = sizeof text; index < 2 * PAGE; index++) REQUIRE(area[index] == 0);
    area[0] = 77;
    char first;
    REQUIRE(pread(file, &first, 1, 0) == 1 && first == text[0]);
    char *second = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, file, PAGE);
    REQUIRE(second != MAP_FAILED && second[0] == text[PAGE]);
    REQUIRE_ERROR((long)mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, file, 1), EINVAL);
    REQUIRE(close(file) == 0 && unlink(name) == 0 && second[1] == text[PAGE + 1]);
    return munmap(area, 2 * PAGE) == 0 && munmap(second, PAGE) == 0 ? NULL : "munmap";
}

static const char *program_mapping(void) {
    // The program's own file, which lies in the guest's archive, page for page.
    int file = open("/proc/self/exe", O_RDONLY);
    REQUIRE(file >= 0);
    char *area = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    REQUIRE(area != MAP_FAILED && memcmp(area, "\177ELF", 4) == 0);
    area[0] = 'x';
    char first[4];
    REQUIRE(pread(file, first, 4, 0) == 4 && memcmp(first, "\177ELF", 4) == 0);
    close(file);
    return munmap(area, PAGE) == 0 ? NULL : "munmap";
}

static const char *many_mappings(void) {
    static char *areas[1000];
    for (int index = 0; index < 1000; index++) {
        areas[index] = map(1 + index % 3, index % 2 ? PROT_READ | PROT_WRITE : PROT_READ);
        REQUIRE(areas[index] && areas[index][0] == 0);
        if (index % 2) areas[index][0] = index;
    }
    for (int index = 999; index >= 0; index--) {
        REQUIRE(areas[index][0] == (index % 2 ? (char)index : 0));
        REQUIRE(munmap(areas[index], (1 + index % 3) * PAGE) == 0);
    }
    return NULL;
}

static const char *reserve_without_memory(void) {
    size_t size = 16ul << 30;
    char *area = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(area != MAP_FAILED);
    REQUIRE(mprotect(area + size / 2, PAGE, PROT_READ | PROT_WRITE) == 0);
    area[size / 2] = 1;
    return munmap(area, size) == 0 ? NULL : "munmap";
}

static const char *code_written_at_run_time(void) {
    static const unsigned char code[] = {0xb8, 42, 0, 0, 0, 0xc3}; // mov $42, %eax; ret
    unsigned char *area = (unsigned char *)map(1, PROT_READ | PROT_WRITE);
    memcpy(area, code, sizeof code);
    REQUIRE(mprotect(area, PAGE, PROT_READ | PROT_EXEC) == 0);
    int (*function)(void) = (int (*)(void))(uintptr_t)area;
    REQUIRE(function() == 42 && faults((char *)area, 1));
    // Writable and executable at once, as just-in-time compilers ask: both must work, by turns.
    REQUIRE(mprotect(area, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) == 0);
    for (int round = 1; round < 20; round++) {
        ((volatile unsigned char *)area)[1] = round;
        REQUIRE(function() == round);
    }
    return munmap(area, PAGE) == 0 ? NULL : "munmap";
}

const struct test mapping_tests[] = {
    {"map_and_unmap", map_and_unmap},
    {"map_fixed", map_fixed},
    {"protection", protection},
    {"remapping", remapping},
    {"discarding", discarding},
    {"file_mapping", file_mapping},
    {"program_mapping", program_mapping},
    {"many_mappings", many_mappings},
    {"reserve_without_memory", reserve_without_memory},
    {"code_written_at_run_time", code_written_at_run_time},
    {NULL, NULL},
};
