// many.c: as many mappings as Linux lets a process have, and more threads than a host's mappings would allow.
#include "tests.h"

#include <sys/sysinfo.h>

// From this much work on the machine is not an emulated one, and is taken to its limits.
enum { WHOLE = 20 };

static int at_work(int whole) {
    return scaled(100) >= WHOLE ? whole : whole / 50;
}

static char *reserve(size_t length, int protection) {
    char *place = mmap(NULL, length, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(place != MAP_FAILED);
    return place;
}

// Each second page has another protection.
static void alternating(void) {
    int pages = at_work(60000);
    char *place = reserve((size_t)pages * PAGE, PROT_READ | PROT_WRITE);
    for (int page = 0; page < pages; page += 2) REQUIRE(mprotect(place + (size_t)page * PAGE, PAGE, PROT_READ) == 0);
    place[PAGE] = 1;
    CHECK(mprotect(place, (size_t)pages * PAGE, PROT_READ | PROT_WRITE) == 0);
    place[0] = 1;
    CHECK(place[PAGE] == 1 && munmap(place, (size_t)pages * PAGE) == 0);
}

static int small_file(size_t length) {
    int file = (int)syscall(SYS_memfd_create, "many", 0);
    CHECK(file >= 0 && ftruncate(file, (off_t)length) == 0);
    return file;
}

// Maps of one file lie side by side; they go in another order.
static void maps_of_one_file(void) {
    int count = at_work(60000), file = small_file(1024);
    char **maps = calloc((size_t)count, sizeof *maps);
    CHECK(maps != NULL);
    for (int index = 0; index < count; index++) {
        maps[index] = mmap(NULL, 1024, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        REQUIRE(maps[index] != MAP_FAILED);
    }
    *maps[0] = 'x';
    CHECK(*maps[count / 2] == 'x' && *maps[count - 1] == 'x');
    for (int index = 0; index < count; index++) REQUIRE(munmap(maps[index * 7919L % count], 1024) == 0);
    CHECK(close(file) == 0);
    free(maps);
}

// The limit is reached by memory alone; then the pages of a file are touched, by many maps, shared and private.
static void touched_at_the_limit(void) {
    enum { LENGTH = 16 * PAGE };
    int others = at_work(30000), most = at_work(20000), file = small_file(LENGTH), count = 0;
    size_t length = (size_t)others * 2 * PAGE;
    char *place = reserve(length, PROT_READ | PROT_WRITE);
    for (int index = 0; index < others; index++)
        REQUIRE(mprotect(place + (size_t)index * 2 * PAGE, PAGE, PROT_READ) == 0);
    char *maps = reserve((size_t)most * LENGTH, PROT_NONE);
    while (count < most) {
        int kind = count % 2 ? MAP_PRIVATE : MAP_SHARED;
        char *map = mmap(maps + (size_t)count * LENGTH, LENGTH, PROT_READ | PROT_WRITE, kind | MAP_FIXED, file, 0);
        if (map == MAP_FAILED) break;
        count++;
    }
    CHECK(count == most || (errno == ENOMEM && count > 1000));
    CHECK(count < 30000);
    // Backwards, so that neighbours are not neighbours in the file. Each private map has one page of its own.
    for (int page = 15; page >= 0; page--)
        for (int index = 0; index < count; index++) {
            volatile char *byte = maps + (size_t)index * LENGTH + (size_t)page * PAGE;
            if (index % 2 == 0)
                *byte = (char)('a' + page);
            else if (page == 3 && index % 64 == 1)
                *byte = '!';
            else
                REQUIRE(*byte == 'a' + page);
        }
    for (int index = 1; index < count; index += 2)
        REQUIRE(maps[(size_t)index * LENGTH + 3 * PAGE] == (index % 64 == 1 ? '!' : 'd'));
    CHECK(munmap(maps, (size_t)most * LENGTH) == 0 && munmap(place, length) == 0 && close(file) == 0);
}

// What many maps show counts once.
static void counted_once(void) {
    enum { LENGTH = 64 << 10, MAPS = 1000 };
    int file = small_file(LENGTH);
    char *maps[MAPS];
    struct sysinfo before, after;
    CHECK(sysinfo(&before) == 0);
    for (int index = 0; index < MAPS; index++) {
        maps[index] = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        REQUIRE(maps[index] != MAP_FAILED);
        memset(maps[index], index, LENGTH);
    }
    CHECK(sysinfo(&after) == 0);
    // Linux' own answer moves with what others do.
    CHECK(getpid() != 1 || before.freeram < after.freeram + (16 << 20));
    for (int index = 0; index < MAPS; index++) REQUIRE(munmap(maps[index], LENGTH) == 0);
    CHECK(close(file) == 0);
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *wait_once(void *unused) {
    pthread_mutex_lock(&held);
    pthread_mutex_unlock(&held);
    return unused;
}

static void threads(void) {
    int count = at_work(20000), made = 0;
    pthread_t *made_ones = calloc((size_t)count, sizeof *made_ones);
    pthread_attr_t attributes;
    CHECK(made_ones && pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, 32 << 10) == 0);
    CHECK(pthread_mutex_lock(&held) == 0);
    while (made < count && pthread_create(&made_ones[made], &attributes, wait_once, NULL) == 0) made++;
    CHECK(made == count);
    CHECK(pthread_mutex_unlock(&held) == 0);
    for (int index = 0; index < count; index++) REQUIRE(pthread_join(made_ones[index], NULL) == 0);
    free(made_ones);
}

const struct test many_tests[] = {
    {"alternating", alternating},
    {"maps_of_one_file", maps_of_one_file},
    {"touched_at_the_limit", touched_at_the_limit},
    {"counted_once", counted_once},
    {"many_threads", threads},
    {NULL, NULL},
};
