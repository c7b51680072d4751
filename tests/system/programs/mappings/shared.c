// shared.c: stores into shared mappings are the file's, and the file's bytes are the mappings'.
#include "tests.h"

enum { BOTH = PROT_READ | PROT_WRITE };

static void store_is_read(void) {
    int file = new_file(3);
    char *mapping = map_file(file, 3, BOTH, MAP_SHARED);
    char bytes[8];
    CHECK(mapping[0] == 'a' && mapping[PAGE] == 'b' && mapping[2 * PAGE] == 'c');
    memcpy(mapping + PAGE - 4, "12345678", 8);
    CHECK(pread(file, bytes, 8, PAGE - 4) == 8 && memcmp(bytes, "12345678", 8) == 0);
    CHECK(msync(mapping, 3 * PAGE, MS_SYNC) == 0 && munmap(mapping, 3 * PAGE) == 0);
    CHECK(pread(file, bytes, 8, PAGE - 4) == 8 && memcmp(bytes, "12345678", 8) == 0 && close(file) == 0);
}

static void write_is_seen(void) {
    int file = new_file(2);
    char *one = map_file(file, 2, PROT_READ, MAP_SHARED), *other = map_file(file, 2, BOTH, MAP_SHARED);
    CHECK(one[5] == 'a' && pwrite(file, "x", 1, 5) == 1 && one[5] == 'x' && other[5] == 'x');
    other[PAGE + 1] = 'y';
    CHECK(one[PAGE + 1] == 'y');
    CHECK(munmap(one, 2 * PAGE) == 0 && other[5] == 'x' && munmap(other, 2 * PAGE) == 0 && close(file) == 0);
}

static void outlives_its_descriptor(void) {
    int file = new_file(1);
    char *mapping = map_file(file, 1, BOTH, MAP_SHARED);
    CHECK(close(file) == 0);
    mapping[9] = 'z';
    CHECK(mapping[9] == 'z' && mapping[10] == 'a' && munmap(mapping, PAGE) == 0);
}

static void rights(void) {
    int file = new_file(1);
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    int reader = open(name, O_RDONLY), writer = open(name, O_WRONLY);
    CHECK(reader >= 0 && writer >= 0);
    CHECK(mmap(NULL, PAGE, BOTH, MAP_SHARED, reader, 0) == MAP_FAILED && errno == EACCES);
    CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, writer, 0) == MAP_FAILED && errno == EACCES);
    CHECK(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, writer, 0) == MAP_FAILED && errno == EACCES);
    char *mapping = map_file(reader, 1, PROT_READ, MAP_SHARED);
    CHECK_ERROR(mprotect(mapping, PAGE, BOTH), EACCES);
    CHECK(touch_signals(mapping, 0) == 0 && touch_signals(mapping, 1) == SIGSEGV && munmap(mapping, PAGE) == 0);
    mapping = map_file(file, 1, PROT_READ, MAP_SHARED);
    CHECK(touch_signals(mapping, 1) == SIGSEGV && mprotect(mapping, PAGE, BOTH) == 0 && touch_signals(mapping, 1) == 0);
    CHECK(mapping[0] == '!' && munmap(mapping, PAGE) == 0);
    CHECK(close(reader) == 0 && close(writer) == 0 && close(file) == 0);
}

// A file that is read into its own mapping, and written from it.
static void through_itself(void) {
    int file = new_file(4);
    char *mapping = map_file(file, 4, BOTH, MAP_SHARED);
    CHECK(pread(file, mapping + 2 * PAGE, 2 * PAGE, 0) == 2 * PAGE && mapping[2 * PAGE] == 'a' && mapping[3 * PAGE] == 'b');
    CHECK(pwrite(file, mapping + PAGE, PAGE, 0) == PAGE && mapping[0] == 'b');
    CHECK(munmap(mapping, 4 * PAGE) == 0);
    // With no page there yet.
    mapping = map_file(file, 4, BOTH, MAP_SHARED);
    CHECK(pread(file, mapping + PAGE, PAGE, 0) == PAGE && mapping[PAGE] == 'b');
    CHECK(munmap(mapping, 4 * PAGE) == 0 && close(file) == 0);
}

static void moved(void) {
    int file = new_file(3);
    char *mapping = map_file(file, 2, BOTH, MAP_SHARED);
    mapping[1] = 'm';
    char *longer = mremap(mapping, 2 * PAGE, 3 * PAGE, MREMAP_MAYMOVE);
    CHECK(longer != MAP_FAILED && longer[1] == 'm' && longer[PAGE] == 'b' && longer[2 * PAGE] == 'c');
    longer[2 * PAGE] = 'n';
    char byte;
    CHECK(pread(file, &byte, 1, 2 * PAGE) == 1 && byte == 'n');
    CHECK(madvise(longer, 3 * PAGE, MADV_DONTNEED) == 0 && longer[1] == 'm' && longer[2 * PAGE] == 'n');
    CHECK(munmap(longer, 3 * PAGE) == 0 && close(file) == 0);
}

static _Atomic int *counter;

static void *count_up(void *unused) {
    for (int turn = 0; turn < scaled(10000); turn++)
        atomic_fetch_add(counter, 1);
    return unused;
}

static void by_threads(void) {
    int file = new_file(1), zero = 0, count = 0;
    CHECK(pwrite(file, &zero, sizeof zero, 0) == sizeof zero);
    counter = (_Atomic int *)map_file(file, 1, BOTH, MAP_SHARED);
    pthread_t threads[4];
    for (int index = 0; index < 4; index++)
        threads[index] = start_thread(count_up, NULL);
    for (int index = 0; index < 4; index++)
        join_thread(threads[index]);
    CHECK(pread(file, &count, sizeof count, 0) == sizeof count && count == 4 * scaled(10000));
    CHECK(munmap((void *)counter, PAGE) == 0 && close(file) == 0);
}

const struct test shared_tests[] = {
    {"store_is_read", store_is_read}, {"write_is_seen", write_is_seen},
    {"outlives_its_descriptor", outlives_its_descriptor}, {"rights", rights},
    {"through_itself", through_itself}, {"moved", moved}, {"by_threads", by_threads}, {NULL, NULL},
};
