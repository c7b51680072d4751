// directories.c: directories thousands deep, and symbolic links that lead to each other.
#include "tests.h"

enum { LEVELS = 10000 };

static void go_to(const char *path) { CHECK(chdir(path) == 0); }

// Goes down by names alone, making what is not there; all that is held is the last one.
static void down(int levels, int make) {
    for (int level = 0; level < levels; level++) {
        if (make) REQUIRE(mkdir("d", 0755) == 0);
        REQUIRE(chdir("d") == 0);
    }
}

static void up_and_away(int levels) {
    for (int level = 0; level < levels; level++) REQUIRE(chdir("..") == 0 && rmdir("d") == 0);
}

static void deep(const char *where) {
    char place[64], name[128];
    sprintf(place, "%s/depths-%d", where, (int)getpid());
    CHECK(mkdir(place, 0755) == 0);
    go_to(place);
    int levels = 3000 + scaled(LEVELS);
    down(levels, 1);
    int file = open("file", O_CREAT | O_RDWR, 0644);
    CHECK(file >= 0 && write(file, "x", 1) == 1);
    CHECK_ERROR(syscall(SYS_getcwd, name, sizeof name), ENAMETOOLONG);
    sprintf(name, "/proc/self/fd/%d", file);
    char path[4096];
    ssize_t length = readlink(name, path, sizeof path);
    CHECK(length == -1 || length > 0);
    // Under the other's name, and back: nothing goes into itself.
    CHECK_ERROR(rename(place, "below"), EINVAL);
    go_to("/");
    go_to(place);
    down(levels, 0);
    CHECK(unlink("file") == 0 && close(file) == 0);
    up_and_away(levels);
    go_to("/");
    CHECK(rmdir(place) == 0);
}

static void in_files(void) { deep("/tmp"); }
static void in_memory(void) { deep("/dev/shm"); }

// A place of somebody else's, DEPTHS_BELOW, in which there are as many levels as DEPTHS_LEVELS says: gone down to and
// left again; or made, or removed, if DEPTHS_DO says so.
static void below(void) {
    const char *place = getenv("DEPTHS_BELOW"), *act = getenv("DEPTHS_DO");
    if (!place) return;
    int levels = atoi(getenv("DEPTHS_LEVELS"));
    for (int turn = 0; turn < 2; turn++) {
        go_to(place);
        down(levels, turn == 0 && act && strcmp(act, "make") == 0);
        REQUIRE(access("d", F_OK) == -1 && errno == ENOENT);
        if (turn == 1 && act && strcmp(act, "remove") == 0) up_and_away(levels);
        go_to("/");
    }
}

static void links(void) {
    char place[64], name[80], target[80];
    sprintf(place, "/tmp/links-%d", (int)getpid());
    CHECK(mkdir(place, 0755) == 0);
    for (int link = 0; link < 50; link++) {
        sprintf(name, "%s/%d", place, link), sprintf(target, "%d", link + 1);
        REQUIRE(symlink(target, name) == 0);
    }
    sprintf(name, "%s/50", place);
    CHECK(close(open(name, O_CREAT | O_WRONLY, 0644)) == 0);
    sprintf(name, "%s/10", place), CHECK(access(name, F_OK) == 0);
    sprintf(name, "%s/9", place);
    CHECK_ERROR(access(name, F_OK), ELOOP);
    for (int link = 0; link <= 50; link++) {
        sprintf(name, "%s/%d", place, link);
        REQUIRE(unlink(name) == 0);
    }
    CHECK(rmdir(place) == 0);
}

static void holes(const char *where) {
    char name[64];
    sprintf(name, "%s/holes-%d", where, (int)getpid());
    int file = open(name, O_CREAT | O_RDWR, 0600);
    CHECK(file >= 0 && unlink(name) == 0 && ftruncate(file, 1 << 20) == 0);
    CHECK_ERROR(lseek(file, 0, SEEK_DATA), ENXIO);
    CHECK(lseek(file, 5, SEEK_HOLE) == 5 && pwrite(file, "x", 1, 512 << 10) == 1);
    CHECK(lseek(file, 0, SEEK_DATA) == 512 << 10 && lseek(file, (512 << 10) + 7, SEEK_DATA) == (512 << 10) + 7);
    CHECK(lseek(file, 512 << 10, SEEK_HOLE) == (512 << 10) + 4096 && lseek(file, 3, SEEK_HOLE) == 3);
    CHECK_ERROR(lseek(file, (512 << 10) + 4096, SEEK_DATA), ENXIO);
    CHECK_ERROR(lseek(file, 1 << 20, SEEK_HOLE), ENXIO);
    CHECK_ERROR(lseek(file, -1, SEEK_DATA), ENXIO);
    CHECK(pwrite(file, "x", 1, (1 << 20) - 1) == 1 && lseek(file, (1 << 20) - 2, SEEK_HOLE) == 1 << 20);
    struct stat status;
    CHECK(fstat(file, &status) == 0 && status.st_blocks == 16 && close(file) == 0);
}

static void holes_in_memory(void) { holes("/dev/shm"), holes("/tmp"); }

const struct test directory_tests[] = {
    {"directories_in_files", in_files},
    {"directories_in_memory", in_memory},
    {"directories_below", below},
    {"links_to_links", links},
    {"holes_in_memory", holes_in_memory},
    {NULL, NULL},
};
