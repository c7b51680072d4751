// sets.c: epoll sets in epoll sets: how deep, and how many ways up (epoll_ctl(2): ELOOP, EINVAL).
#include "tests.h"

static int add(int outer, int inner) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event);
}

static int set(void) {
    int made = epoll_create1(0);
    REQUIRE(made >= 0);
    return made;
}

static int ready(int set) {
    struct epoll_event event;
    return epoll_wait(set, &event, 1, 0);
}

static void close_all(int count, const int *sets) {
    for (int index = 0; index < count; index++) REQUIRE(close(sets[index]) == 0);
}

static void chains(void) {
    int sets[6], ends[2];
    for (int index = 0; index < 6; index++) sets[index] = set();
    CHECK(pipe(ends) == 0 && add(sets[0], ends[0]) == 0);
    CHECK_ERROR(add(sets[0], sets[0]), EINVAL);
    for (int index = 0; index < 4; index++) CHECK(add(sets[index + 1], sets[index]) == 0);
    CHECK_ERROR(add(sets[5], sets[4]), ELOOP);
    CHECK_ERROR(add(sets[0], sets[5]), ELOOP);
    CHECK_ERROR(add(sets[0], sets[4]), ELOOP);
    CHECK_ERROR(add(sets[1], sets[0]), EEXIST);
    CHECK(ready(sets[4]) == 0 && write(ends[1], "x", 1) == 1 && ready(sets[4]) == 1 && ready(sets[4]) == 1);
    char byte;
    CHECK(read(ends[0], &byte, 1) == 1 && ready(sets[4]) == 0);
    // A circle of two, and one joined in its middle.
    CHECK(epoll_ctl(sets[2], EPOLL_CTL_DEL, sets[1], NULL) == 0);
    CHECK_ERROR(add(sets[0], sets[1]), ELOOP);
    CHECK(add(sets[0], sets[5]) == 0 && add(sets[2], sets[1]) == -1 && errno == ELOOP);
    CHECK(epoll_ctl(sets[0], EPOLL_CTL_DEL, sets[5], NULL) == 0 && add(sets[2], sets[1]) == 0);
    CHECK(write(ends[1], "x", 1) == 1 && ready(sets[4]) == 1);
    // What is closed has left its sets.
    CHECK(close(sets[2]) == 0 && ready(sets[4]) == 0 && add(sets[5], sets[4]) == 0);
    sets[2] = set();
    close_all(6, sets), close_all(2, ends);
}

enum { LEVELS = 5, MOST = 4 };

// Each set in all sets of the level above; the ways from a pipe in the lowest.
static void mesh(void) {
    for (int width = 1; width <= MOST; width++) {
        int sets[LEVELS * MOST], ends[2];
        for (int index = 0; index < LEVELS * width; index++) sets[index] = set();
        for (int level = 0; level + 1 < LEVELS; level++)
            for (int outer = 0; outer < width; outer++)
                for (int inner = 0; inner < width; inner++)
                    REQUIRE(add(sets[(level + 1) * width + outer], sets[level * width + inner]) == 0);
        CHECK(pipe(ends) == 0);
        // 10 ways of four steps may be: there is one, or 16 and more.
        if (width == 1) CHECK(add(sets[0], ends[0]) == 0 && write(ends[1], "x", 1) == 1 && ready(sets[4]) == 1);
        else CHECK_ERROR(add(sets[0], ends[0]), EINVAL);
        // Each level further up there are fewer: width to the third and so on, of which there may be 50, and 100.
        if (width == 3) CHECK(add(sets[width], ends[0]) == 0 && add(sets[2 * width], ends[0]) == 0);
        if (width == 4) CHECK(add(sets[width], ends[0]) == -1 && errno == EINVAL && add(sets[2 * width], ends[0]) == 0);
        close_all(LEVELS * width, sets), close_all(2, ends);
    }
}

// 500 ways of one step may lead up from a file, whether the file comes last or the sets do.
static void many(void) {
    enum { COUNT = 500 };
    int sets[COUNT], inner = set(), other = set(), ends[2];
    CHECK(pipe(ends) == 0);
    for (int index = 0; index < COUNT; index++) REQUIRE(add(sets[index] = set(), inner) == 0);
    CHECK(add(inner, ends[0]) == 0);
    CHECK_ERROR(add(other, inner), EINVAL);
    CHECK(epoll_ctl(inner, EPOLL_CTL_DEL, ends[0], NULL) == 0 && add(other, inner) == 0);
    CHECK_ERROR(add(inner, ends[0]), EINVAL);
    CHECK(close(sets[0]) == 0 && add(inner, ends[0]) == 0 && write(ends[1], "x", 1) == 1);
    for (int index = 1; index < COUNT; index++) REQUIRE(ready(sets[index]) == 1);
    close_all(COUNT - 1, sets + 1), close(inner), close(other), close_all(2, ends);
}

const struct test set_tests[] = {
    {"chains_of_sets", chains},
    {"a_mesh_of_sets", mesh},
    {"many_ways_up", many},
    {NULL, NULL},
};
