// names.c: descriptors that lead to names of descriptors (proc(5)).
#include "tests.h"

static void descriptor_names_itself(void) {
    char name[64], wanted[64], answer[64] = {0};
    int null = open("/dev/null", O_RDONLY);
    sprintf(name, "/proc/self/fd/%d", null);
    int link = open(name, O_PATH | O_NOFOLLOW);
    CHECK(null >= 0 && link >= 0 && dup2(link, null) == null);
    int length = sprintf(wanted, "/proc/%d/fd/%d", (int)getpid(), null);
    CHECK(readlink(name, answer, sizeof answer) == length && strcmp(answer, wanted) == 0);
    CHECK_ERROR(open(name, O_RDONLY), ELOOP);
    struct stat status;
    CHECK(stat(name, &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(close(link) == 0 && close(null) == 0);
}

// Each leads to the name of the one before it.
static void names_of_names(void) {
    enum { COUNT = 200 };
    char name[64], wanted[64], answer[64];
    int links[COUNT], last = open("/dev/null", O_RDONLY), first = last;
    for (int index = 0; index < COUNT; index++) {
        sprintf(name, "/proc/self/fd/%d", last);
        last = links[index] = open(name, O_PATH | O_NOFOLLOW);
        REQUIRE(last >= 0);
    }
    sprintf(name, "/proc/self/fd/%d", last);
    int length = sprintf(wanted, "/proc/%d/fd/%d", (int)getpid(), links[COUNT - 2]);
    CHECK(readlink(name, answer, sizeof answer) == length && memcmp(answer, wanted, length) == 0);
    CHECK_ERROR(open(name, O_RDONLY), ELOOP);
    for (int index = 0; index < COUNT; index++) REQUIRE(close(links[index]) == 0);
    CHECK(close(first) == 0);
}

static void descriptors_are_listed_once(void) {
    enum { COUNT = 300 };
    int ends[COUNT], seen = 0, before = -1;
    for (int index = 0; index < COUNT; index++) REQUIRE((ends[index] = dup(0)) >= 0);
    DIR *listing = opendir("/proc/self/fd");
    CHECK(listing);
    for (struct dirent *entry; (entry = readdir(listing));) {
        if (entry->d_name[0] == '.') continue;
        REQUIRE(atoi(entry->d_name) > before);
        before = atoi(entry->d_name);
        for (int index = 0; index < COUNT; index++) seen += ends[index] == before;
    }
    CHECK(seen == COUNT && closedir(listing) == 0);
    for (int index = 0; index < COUNT; index++) REQUIRE(close(ends[index]) == 0);
}

const struct test name_tests[] = {
    {"descriptor_names_itself", descriptor_names_itself},
    {"names_of_names", names_of_names},
    {"descriptors_are_listed_once", descriptors_are_listed_once},
    {NULL, NULL},
};
