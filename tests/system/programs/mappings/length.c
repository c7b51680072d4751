// length.c: files that become shorter and longer under their mappings.
#include "tests.h"

enum { BOTH = PROT_READ | PROT_WRITE };

static void behind_the_end(void) {
    int file = new_file(1);
    for (int shared = 0; shared < 2; shared++) {
        char *mapping = map_file(file, 3, BOTH, shared ? MAP_SHARED : MAP_PRIVATE);
        CHECK(touch_signals(mapping, 0) == 0 && touch_signals(mapping + PAGE, 0) == SIGBUS);
        CHECK(touch_signals(mapping + 2 * PAGE, 1) == SIGBUS && munmap(mapping, 3 * PAGE) == 0);
    }
    CHECK(close(file) == 0);
}

static void grows(void) {
    int file = new_file(1);
    char *shared = map_file(file, 3, BOTH, MAP_SHARED), *private = map_file(file, 3, PROT_READ, MAP_PRIVATE);
    CHECK(touch_signals(shared + PAGE, 0) == SIGBUS && touch_signals(private + PAGE, 0) == SIGBUS);
    CHECK(pwrite(file, "new", 3, PAGE) == 3 && shared[PAGE] == 'n' && private[PAGE + 1] == 'e');
    CHECK(shared[PAGE + 3] == 0 && touch_signals(shared + 2 * PAGE, 0) == SIGBUS);
    CHECK(ftruncate(file, 3 * PAGE) == 0 && shared[2 * PAGE] == 0 && private[3 * PAGE - 1] == 0);
    shared[2 * PAGE] = 'e';
    char byte;
    CHECK(pread(file, &byte, 1, 2 * PAGE) == 1 && byte == 'e');
    CHECK(munmap(shared, 3 * PAGE) == 0 && munmap(private, 3 * PAGE) == 0 && close(file) == 0);
}

static void cut(void) {
    int file = new_file(3);
    char *mapping = map_file(file, 3, BOTH, MAP_SHARED);
    mapping[2 * PAGE] = mapping[PAGE + 100] = mapping[99] = '3';
    CHECK(ftruncate(file, 100) == 0);
    CHECK(mapping[99] == '3' && mapping[100] == 0 && touch_signals(mapping + PAGE, 0) == SIGBUS);
    CHECK(touch_signals(mapping + 2 * PAGE, 1) == SIGBUS);
    // What was cut off comes back as zeros.
    CHECK(ftruncate(file, 3 * PAGE) == 0 && mapping[100] == 0 && mapping[PAGE + 100] == 0 && mapping[2 * PAGE] == 0);
    CHECK(munmap(mapping, 3 * PAGE) == 0 && close(file) == 0);
}

static void sparse(void) {
    int file = new_file(0);
    const off_t length = (off_t)1 << 33;
    CHECK(ftruncate(file, length) == 0);
    char *mapping = mmap(NULL, length, BOTH, MAP_SHARED, file, 0);
    CHECK(mapping != MAP_FAILED && mapping[length / 2] == 0);
    mapping[length - 1] = 's';
    char byte;
    struct stat status;
    CHECK(pread(file, &byte, 1, length - 1) == 1 && byte == 's');
    CHECK(fstat(file, &status) == 0 && status.st_size == length && status.st_blocks < 1000);
    CHECK(munmap(mapping, length) == 0 && close(file) == 0);
}

static void hole(void) {
    int file = new_file(3);
    char *mapping = map_file(file, 3, BOTH, MAP_SHARED);
    mapping[PAGE] = 'h';
    // FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE
    CHECK(syscall(SYS_fallocate, file, 3, (off_t)PAGE, (off_t)PAGE) == 0);
    CHECK(mapping[PAGE] == 0 && mapping[0] == 'a' && mapping[2 * PAGE] == 'c');
    mapping[PAGE] = 'i';
    char byte;
    CHECK(pread(file, &byte, 1, PAGE) == 1 && byte == 'i' && munmap(mapping, 3 * PAGE) == 0 && close(file) == 0);
}

static _Atomic int done;

static void *read_on(void *argument) {
    char *mapping = argument, sum = 0;
    while (!atomic_load(&done))
        for (int page = 0; page < 16; page++)
            sum ^= mapping[page * PAGE];
    return (void *)(intptr_t)(sum != 0x55);
}

// One thread reads a mapping whose other pages another one cuts off and makes again.
static void cut_beside_a_reader(void) {
    int file = new_file(32);
    char *mapping = map_file(file, 32, BOTH, MAP_SHARED);
    atomic_store(&done, 0);
    pthread_t reader = start_thread(read_on, mapping);
    for (int round = 0; round < scaled(100); round++) {
        REQUIRE(ftruncate(file, 16 * PAGE) == 0 && ftruncate(file, 32 * PAGE) == 0);
        for (int page = 16; page < 32; page++) {
            REQUIRE(mapping[page * PAGE] == 0);
            mapping[page * PAGE] = 'r';
        }
    }
    atomic_store(&done, 1);
    CHECK(join_thread(reader) == (void *)1 && munmap(mapping, 32 * PAGE) == 0 && close(file) == 0);
}

const struct test length_tests[] = {
    {"behind_the_end", behind_the_end}, {"grows", grows}, {"cut", cut}, {"sparse", sparse}, {"hole", hole},
    {"cut_beside_a_reader", cut_beside_a_reader}, {NULL, NULL},
};
