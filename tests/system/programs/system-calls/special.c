// special.c: named pipes and sockets by their names in a directory (fifo(7), unix(7)).
#include "tests.h"

#include <dirent.h>

static char place[80], path[100], other[120];

static void enter(void) {
    const char *above = getenv("TMPDIR");
    snprintf(place, sizeof place, "%s/special-XXXXXX", above ? above : "/tmp");
    CHECK(mkdtemp(place));
    snprintf(path, sizeof path, "%s/one", place);
    snprintf(other, sizeof other, "%s/two", place);
}

static void leave(void) { CHECK(rmdir(place) == 0); }

// What a listing says that the only entry is.
static int listed(void) {
    DIR *directory = opendir(place);
    CHECK(directory != NULL);
    int kind = -1;
    for (struct dirent *entry; (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            kind = entry->d_type;
    CHECK(closedir(directory) == 0);
    return kind;
}

static void pipes(void) {
    enter();
    struct stat status;
    CHECK(mkfifo(path, 0644) == 0 && stat(path, &status) == 0 && S_ISFIFO(status.st_mode) && listed() == DT_FIFO);
    CHECK((status.st_mode & 0777) == 0644 && chmod(path, 0600) == 0 && stat(path, &status) == 0);
    CHECK((status.st_mode & 07777) == 0600 && status.st_size == 0);
    CHECK_ERROR(mkfifo(path, 0600), EEXIST);
    CHECK_ERROR(open(path, O_WRONLY | O_NONBLOCK), ENXIO);
    CHECK_ERROR(truncate(path, 0), EINVAL);
    int reader = open(path, O_RDONLY | O_NONBLOCK), writer = open(path, O_WRONLY);
    char bytes[8];
    CHECK(reader >= 0 && writer >= 0 && write(writer, "three", 5) == 5 && read(reader, bytes, 8) == 5);
    CHECK_ERROR(read(reader, bytes, 8), EAGAIN);
    CHECK_ERROR(lseek(reader, 0, SEEK_SET), ESPIPE);
    // Another name leads to the same pipe, also when the first is gone.
    CHECK(link(path, other) == 0 && unlink(path) == 0);
    int again = open(other, O_WRONLY | O_NONBLOCK);
    CHECK(again >= 0 && write(again, "two", 3) == 3 && read(reader, bytes, 8) == 3);
    CHECK(close(again) == 0 && close(writer) == 0 && read(reader, bytes, 8) == 0);
    CHECK(rename(other, path) == 0 && (writer = open(path, O_WRONLY | O_NONBLOCK)) >= 0);
    // What nobody has read is gone with the last who has it open.
    CHECK(write(writer, "lost", 4) == 4 && close(writer) == 0 && close(reader) == 0);
    CHECK((reader = open(path, O_RDONLY | O_NONBLOCK)) >= 0 && read(reader, bytes, 8) == 0 && close(reader) == 0);
    CHECK(unlink(path) == 0);
    leave();
}

static void *write_later(void *unused) {
    int writer = open(path, O_WRONLY);
    CHECK(writer >= 0 && write(writer, "met", 3) == 3 && close(writer) == 0);
    return unused;
}

static void pipes_meet(void) {
    enter();
    CHECK(mkfifo(path, 0600) == 0);
    pthread_t thread = start_thread(write_later, NULL);
    char bytes[4];
    int reader = open(path, O_RDONLY);
    CHECK(reader >= 0 && read(reader, bytes, 4) == 3 && close(reader) == 0);
    join_thread(thread);
    CHECK((reader = open(path, O_RDWR)) >= 0 && write(reader, "x", 1) == 1 && read(reader, bytes, 4) == 1);
    CHECK(close(reader) == 0 && unlink(path) == 0);
    leave();
}

static void sockets(void) {
    enter();
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat status;
    strcpy(address.sun_path, path);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), caller = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(bind(listener, (void *)&address, sizeof address) == 0 && listed() == DT_SOCK);
    CHECK(stat(path, &status) == 0 && S_ISSOCK(status.st_mode));
    CHECK_ERROR(open(path, O_RDONLY), ENXIO);
    CHECK_ERROR(connect(caller, (void *)&address, sizeof address), ECONNREFUSED);
    CHECK(listen(listener, 1) == 0 && connect(caller, (void *)&address, sizeof address) == 0);
    int accepted = accept(listener, NULL, NULL);
    char bytes[4];
    CHECK(accepted >= 0 && write(caller, "abc", 3) == 3 && read(accepted, bytes, 4) == 3);
    CHECK_ERROR(bind(caller, (void *)&address, sizeof address), EADDRINUSE);
    CHECK(rename(path, other) == 0 && close(caller) == 0);
    strcpy(address.sun_path, other);
    caller = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(connect(caller, (void *)&address, sizeof address) == 0 && close(listener) == 0 && close(caller) == 0);
    caller = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_ERROR(connect(caller, (void *)&address, sizeof address), ECONNREFUSED);
    CHECK(close(caller) == 0 && close(accepted) == 0 && unlink(other) == 0);
    leave();
}

const struct test special_tests[] = {
    {"special_pipes", pipes}, {"special_pipes_meet", pipes_meet}, {"special_sockets", sockets}, {NULL, NULL},
};
