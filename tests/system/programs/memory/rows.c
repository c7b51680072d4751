// rows.c: mappings of zero(4), flags that are not known, neighbours in /proc/self/maps, words that are not mapped.
#include "tests.h"

#include <linux/futex.h>

enum { BOTH = PROT_READ | PROT_WRITE };

static int refused(size_t length, int protection, int flags, int file, int number) {
    errno = 0;
    return mmap(NULL, length, protection, flags, file, 0) == MAP_FAILED && errno == number;
}

static void zeros(void) {
    int both = open("/dev/zero", O_RDWR), reader = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_RDWR);
    CHECK(both >= 0 && reader >= 0 && null >= 0);
    for (int flags = MAP_SHARED; flags <= MAP_PRIVATE; flags++) {
        char *place = mmap(NULL, 2 * PAGE, BOTH, flags, both, 0);
        CHECK(place != MAP_FAILED && place[PAGE] == 0);
        place[PAGE] = 'z';
        CHECK(place[PAGE] == 'z' && munmap(place, 2 * PAGE) == 0);
    }
    char *place = mmap(NULL, PAGE, BOTH, MAP_PRIVATE, reader, 0);
    CHECK(place != MAP_FAILED && munmap(place, PAGE) == 0 && refused(PAGE, BOTH, MAP_SHARED, reader, EACCES));
    CHECK(refused(PAGE, BOTH, MAP_PRIVATE, null, ENODEV) && close(both) == 0 && close(reader) == 0 && close(null) == 0);
}

static void flags(void) {
    int file = (int)syscall(SYS_memfd_create, "flags", 0);
    CHECK(file >= 0 && ftruncate(file, PAGE) == 0);
    CHECK(refused(PAGE, BOTH, MAP_SHARED_VALIDATE | 1 << 25, file, EOPNOTSUPP));
    CHECK(refused(PAGE, BOTH, MAP_SHARED_VALIDATE | MAP_SYNC, file, EOPNOTSUPP));
    char *place = mmap(NULL, PAGE, BOTH, MAP_SHARED_VALIDATE | MAP_POPULATE | MAP_NORESERVE, file, 0);
    CHECK(place != MAP_FAILED && munmap(place, PAGE) == 0);
    place = mmap(NULL, PAGE, BOTH, MAP_SHARED | 1 << 25, file, 0);
    CHECK(place != MAP_FAILED && munmap(place, PAGE) == 0);
    CHECK(refused(0, BOTH, MAP_SHARED, file, EINVAL) && close(file) == 0);
    CHECK(refused(0, BOTH, MAP_SHARED, file, EBADF) && refused(0, BOTH, MAP_PRIVATE, -1, EBADF));
    CHECK(refused(PAGE, BOTH, MAP_SHARED, file, EBADF) && refused(0, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, EINVAL));
}

// The line of /proc/self/maps that holds an address.
static int line_of(const void *address, char *line, size_t size) {
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long start, end;
    CHECK(maps != NULL);
    unsigned long wanted = (unsigned long)address;
    while (fgets(line, (int)size, maps))
        if (sscanf(line, "%lx-%lx", &start, &end) == 2 && wanted >= start && wanted < end)
            return fclose(maps) == 0;
    return fclose(maps), 0;
}

static void neighbours(void) {
    char *place = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), line[256], bounds[64];
    CHECK(place != MAP_FAILED);
    CHECK(mmap(place + PAGE, PAGE, BOTH, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == place + PAGE);
    CHECK(mmap(place + 2 * PAGE, PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == place + 2 * PAGE);
    snprintf(bounds, sizeof bounds, "%lx-%lx rw-s", (unsigned long)(place + PAGE), (unsigned long)(place + 2 * PAGE));
    CHECK(line_of(place + PAGE, line, sizeof line) && strncmp(line, bounds, strlen(bounds)) == 0);
    CHECK(strstr(line, "/dev/zero (deleted)") != NULL);
    unsigned long third = (unsigned long)(place + 2 * PAGE);
    snprintf(bounds, sizeof bounds, "%lx-%lx rw-p", third, third + PAGE);
    CHECK(line_of(place + 2 * PAGE, line, sizeof line) && strncmp(line, bounds, strlen(bounds)) == 0);
    // What is shared is not thrown away.
    place[PAGE] = place[2 * PAGE] = 'n';
    CHECK(madvise(place + PAGE, 2 * PAGE, MADV_DONTNEED) == 0 && place[PAGE] == 'n' && place[2 * PAGE] == 0);
    CHECK_ERROR(madvise(place + PAGE, PAGE, MADV_FREE), EINVAL);
    CHECK(munmap(place, 4 * PAGE) == 0);
}

static void words(void) {
    char *place = mmap(NULL, 2 * PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(place != MAP_FAILED && munmap(place + PAGE, PAGE) == 0);
    char *gone = place + PAGE;
    CHECK_ERROR(syscall(SYS_futex, gone, FUTEX_WAKE, 1, NULL, NULL, 0), EFAULT);
    CHECK_ERROR(syscall(SYS_futex, place, FUTEX_REQUEUE, 1, 1L, gone, 0), EFAULT);
    CHECK_ERROR(syscall(SYS_futex, gone, FUTEX_REQUEUE, 1, 1L, place, 0), EFAULT);
    CHECK(syscall(SYS_futex, gone, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 0);
    CHECK(syscall(SYS_futex, place, FUTEX_WAKE, 1, NULL, NULL, 0) == 0 && munmap(place, PAGE) == 0);
}

static void other_pages(void) {
    int file = (int)syscall(SYS_memfd_create, "pages", 0);
    CHECK(file >= 0 && ftruncate(file, 4 * PAGE) == 0);
    for (int page = 0; page < 4; page++) CHECK(pwrite(file, &"abcd"[page], 1, (off_t)page * PAGE) == 1);
    char *shared = mmap(NULL, 4 * PAGE, BOTH, MAP_SHARED, file, 0);
    char *copy = mmap(NULL, PAGE, BOTH, MAP_PRIVATE, file, 0);
    CHECK(shared != MAP_FAILED && copy != MAP_FAILED);
    CHECK(syscall(SYS_remap_file_pages, shared + PAGE, 2UL * PAGE, 0UL, 2UL, 0UL) == 0);
    CHECK(shared[0] == 'a' && shared[PAGE] == 'c' && shared[2 * PAGE] == 'd' && shared[3 * PAGE] == 'd');
    shared[PAGE] = 'C';
    char byte;
    CHECK(pread(file, &byte, 1, 2 * PAGE) == 1 && byte == 'C');
    CHECK_ERROR(syscall(SYS_remap_file_pages, copy, (unsigned long)PAGE, 0UL, 1UL, 0UL), EINVAL);
    CHECK_ERROR(syscall(SYS_remap_file_pages, shared, (unsigned long)PAGE, 1UL, 1UL, 0UL), EINVAL);
    CHECK_ERROR(syscall(SYS_remap_file_pages, shared, 0UL, 0UL, 1UL, 0UL), EINVAL);
    CHECK_ERROR(syscall(SYS_remap_file_pages, shared, (unsigned long)PAGE, 0UL, ~0UL, 0UL), EINVAL);
    CHECK(munmap(shared, 4 * PAGE) == 0 && munmap(copy, PAGE) == 0 && close(file) == 0);
}

const struct test row_tests[] = {
    {"maps_of_zeros", zeros},      {"flags_of_maps", flags},      {"neighbours", neighbours},
    {"words_that_are_gone", words}, {"other_pages", other_pages}, {NULL, NULL},
};
