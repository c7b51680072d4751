// private.c: stores into private mappings are the program's alone.
#include "tests.h"

enum { BOTH = PROT_READ | PROT_WRITE };

// What is right above the highest place that mmap gives is as free as all else, also when a mapping below it has come
// and gone. On Linux there is something as a rule.
static void above_the_highest(void) {
    for (int turn = 0; turn < 8; turn++) {
        char *below = mmap(NULL, PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *above = below + PAGE;
        unsigned char resident[2];
        REQUIRE(below != MAP_FAILED);
        *below = 'b';
        REQUIRE(munmap(below, PAGE) == 0);
        if (mincore(above, PAGE, resident) == 0) continue;
        REQUIRE(errno == ENOMEM && touch_signals(above, turn % 2) == SIGSEGV);
        // Not by what counts checks: this part is not everywhere.
        int file = (int)syscall(SYS_memfd_create, "above", 0), flags = turn % 2 ? MAP_SHARED : MAP_PRIVATE;
        REQUIRE(file >= 0 && ftruncate(file, 2 * PAGE) == 0);
        REQUIRE(pwrite(file, "a", 1, 0) == 1 && pwrite(file, "b", 1, PAGE) == 1);
        char *there = mmap(above, 2 * PAGE, BOTH, flags | MAP_FIXED_NOREPLACE, file, 0);
        if (there == MAP_FAILED) {
            REQUIRE(errno == EEXIST && close(file) == 0);
            continue;
        }
        REQUIRE(there == above && there[0] == 'a' && there[PAGE] == 'b' && munmap(there, 2 * PAGE) == 0);
        below = mmap(NULL, PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        REQUIRE(below == above - PAGE && munmap(below, PAGE) == 0);
        there = mmap(NULL, PAGE * 2, BOTH, flags, file, 0);
        REQUIRE(there != MAP_FAILED);
        there = mremap(there, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, above);
        REQUIRE(there == above && there[PAGE] == 'b' && there[0] == 'a' && munmap(there, 2 * PAGE) == 0);
        REQUIRE(touch_signals(above, 0) == SIGSEGV && close(file) == 0);
    }
    CHECK(1);
}

static void store_stays(void) {
    int file = new_file(2);
    char *mapping = map_file(file, 2, BOTH, MAP_PRIVATE);
    char byte;
    mapping[3] = 'p';
    CHECK(mapping[3] == 'p' && mapping[4] == 'a' && pread(file, &byte, 1, 3) == 1 && byte == 'a');
    // What was copied does not follow the file any more.
    CHECK(pwrite(file, "qq", 2, 3) == 2 && mapping[3] == 'p' && mapping[4] == 'a');
    CHECK(munmap(mapping, 2 * PAGE) == 0 && close(file) == 0);
}

static void can_be_written_for_readers(void) {
    int file = new_file(1);
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    int reader = open(name, O_RDONLY);
    char *mapping = map_file(reader, 1, BOTH, MAP_PRIVATE);
    CHECK(touch_signals(mapping, 1) == 0 && mapping[0] == '!');
    CHECK(mprotect(mapping, PAGE, PROT_READ) == 0 && touch_signals(mapping, 1) == SIGSEGV && mapping[0] == '!');
    CHECK(mprotect(mapping, PAGE, BOTH) == 0 && mapping[0] == '!' && mapping[1] == 'a');
    CHECK(munmap(mapping, PAGE) == 0 && close(reader) == 0 && close(file) == 0);
}

static void forgotten(void) {
    int file = new_file(2);
    char *mapping = map_file(file, 2, BOTH, MAP_PRIVATE);
    mapping[0] = mapping[PAGE] = 'f';
    CHECK(madvise(mapping, PAGE, MADV_DONTNEED) == 0 && mapping[0] == 'a' && mapping[PAGE] == 'f');
    CHECK(munmap(mapping, 2 * PAGE) == 0 && close(file) == 0);
}

static void moved(void) {
    int file = new_file(3);
    char *mapping = map_file(file, 3, BOTH, MAP_PRIVATE);
    mapping[PAGE] = 'm';
    char *place = mmap(NULL, 8 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(place != MAP_FAILED);
    char *there = mremap(mapping, 3 * PAGE, 3 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place + PAGE);
    CHECK(there == place + PAGE && there[0] == 'a' && there[PAGE] == 'm' && there[2 * PAGE] == 'c');
    CHECK(munmap(place, 8 * PAGE) == 0 && close(file) == 0);
}

// Instructions written to a file and executed from it.
static void executed(void) {
    static const unsigned char answer[] = {0xb8, 42, 0, 0, 0, 0xc3};  // mov eax, 42; ret
    int file = new_file(1);
    CHECK(pwrite(file, answer, sizeof answer, 16) == sizeof answer);
    for (int shared = 0; shared < 2; shared++) {
        char *mapping = map_file(file, 1, PROT_READ | PROT_EXEC, shared ? MAP_SHARED : MAP_PRIVATE);
        int (*function)(void) = (int (*)(void))(mapping + 16);
        CHECK(function() == 42 && munmap(mapping, PAGE) == 0);
    }
    CHECK(close(file) == 0);
}

static void parts(void) {
    int file = new_file(8);
    char *mapping = mmap(NULL, 2 * PAGE, BOTH, MAP_PRIVATE, file, 5 * PAGE);
    CHECK(mapping != MAP_FAILED && mapping[0] == 'f' && mapping[PAGE] == 'g');
    CHECK(mmap(mapping, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, file, 7 * PAGE) == mapping);
    CHECK(mapping[0] == 'h' && mapping[PAGE] == 'g' && munmap(mapping, 2 * PAGE) == 0);
    CHECK(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, file, 100) == MAP_FAILED && errno == EINVAL && close(file) == 0);
}

const struct test private_tests[] = {
    {"above_the_highest", above_the_highest}, {"store_stays", store_stays},
    {"can_be_written_for_readers", can_be_written_for_readers}, {"forgotten", forgotten}, {"moved_apart", moved},
    {"executed", executed}, {"parts", parts}, {NULL, NULL},
};
