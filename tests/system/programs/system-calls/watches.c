// watches.c: being told what happens to files (inotify(7)).
#include "tests.h"

#include <dirent.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>

// A new one in TMPDIR for each test.
static char folder[256];

static void enter(void) {
    const char *above = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/system-calls-watched-XXXXXX", above ? above : "/tmp");
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static void leave(void) { CHECK(chdir("/") == 0 && rmdir(folder) == 0); }

static const struct {
    uint32_t bit;
    const char *name;
} events[] = {
    {IN_ACCESS, "access"}, {IN_MODIFY, "modify"}, {IN_ATTRIB, "attrib"}, {IN_CLOSE_WRITE, "close-write"},
    {IN_CLOSE_NOWRITE, "close"}, {IN_OPEN, "open"}, {IN_MOVED_FROM, "from"}, {IN_MOVED_TO, "to"},
    {IN_CREATE, "create"}, {IN_DELETE, "delete"}, {IN_DELETE_SELF, "delete-self"}, {IN_MOVE_SELF, "move-self"},
    {IN_IGNORED, "ignored"}, {IN_Q_OVERFLOW, "overflow"}, {IN_ISDIR, "dir"},
};

// What one event says: `WATCH:EVENT[+EVENT][=NAME]`, the cookie of a move only as being there.
static void tell(char *text, size_t room, const struct inotify_event *event) {
    int length = snprintf(text, room, "%d:", event->wd);
    char separator[2] = "";
    for (size_t index = 0; index < sizeof events / sizeof *events; index++) {
        if (event->mask & events[index].bit) {
            length += snprintf(text + length, room - length, "%s%s", separator, events[index].name);
            *separator = '+';
        }
    }
    if (event->len) length += snprintf(text + length, room - length, "=%s", event->name);
    CHECK(!event->cookie == !(event->mask & (IN_MOVED_FROM | IN_MOVED_TO)));
}

// Reads all that waits.
static const char *all(int watcher) {
    static char text[4096];
    _Alignas(8) char bytes[4096];
    *text = 0;
    ssize_t count;
    while ((count = read(watcher, bytes, sizeof bytes)) > 0) {
        for (ssize_t at = 0; at < count;) {
            const struct inotify_event *event = (const void *)(bytes + at);
            size_t used = strlen(text);
            tell(text + used, sizeof text - used, event);
            if (used) {
                memmove(text + used + 1, text + used, strlen(text + used) + 1);
                text[used] = ' ';
            }
            at += sizeof *event + event->len;
        }
    }
    CHECK(count == -1 && errno == EAGAIN);
    return text;
}

static void expect(int watcher, const char *wanted) {
    const char *told = all(watcher);
    if (strcmp(told, wanted)) printf("told   %s\nwanted %s\n", told, wanted);
    CHECK(!strcmp(told, wanted));
}

static int watch(const char *path, uint32_t mask) {
    int watcher = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    CHECK(watcher >= 0 && inotify_add_watch(watcher, path, mask) == 1);
    return watcher;
}

static int make(const char *path) {
    int file = open(path, O_RDWR | O_CREAT, 0600);
    CHECK(file >= 0);
    return file;
}

static void of_a_directory(void) {
    enter();
    int watcher = watch(".", IN_ALL_EVENTS);
    int file = make("a");
    CHECK(write(file, "abc", 3) == 3 && write(file, "d", 1) == 1 && pread(file, (char[4]){}, 4, 0) == 4);
    expect(watcher, "1:create=a 1:open=a 1:modify=a 1:access=a");
    CHECK(read(file, (char[4]){}, 4) == 0 && write(file, "", 0) == 0);
    CHECK(ftruncate(file, 1) == 0 && fchmod(file, 0640) == 0 && fallocate(file, 0, 0, 10) == 0);
    CHECK(close(file) == 0);
    expect(watcher, "1:modify=a 1:attrib=a 1:modify=a 1:close-write=a");
    CHECK((file = open("a", O_RDONLY)) >= 0 && read(file, (char[4]){}, 4) == 4 && close(file) == 0);
    expect(watcher, "1:open=a 1:access=a 1:close=a");
    CHECK((file = open("a", O_WRONLY | O_TRUNC)) >= 0 && close(file) == 0 && truncate("a", 3) == 0);
    expect(watcher, "1:open=a 1:modify=a 1:close-write=a 1:modify=a");
    CHECK(chmod("a", 0600) == 0 && chown("a", getuid(), getgid()) == 0);
    struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
    CHECK(utimensat(AT_FDCWD, "a", now, 0) == 0);
    CHECK(utimensat(AT_FDCWD, "a", (struct timespec[2]){now[1], now[0]}, 0) == 0);
    CHECK(utimensat(AT_FDCWD, "a", (struct timespec[2]){now[1], now[1]}, 0) == 0);
    CHECK(utimensat(AT_FDCWD, "a", NULL, 0) == 0);
    expect(watcher, "1:attrib=a 1:access=a 1:modify=a 1:attrib=a");
    CHECK(link("a", "b") == 0 && rename("a", "c") == 0 && rename("b", "c") == 0 && rename("c", "c") == 0);
    expect(watcher, "1:create=b 1:from=a 1:to=c");
    CHECK(unlink("b") == 0 && symlink("c", "s") == 0);
    expect(watcher, "1:delete=b 1:create=s");
    CHECK((file = open("s", O_PATH)) >= 0 && close(file) == 0 && unlink("s") == 0);
    CHECK(access("c", R_OK) == 0 && unlink("c") == 0);
    expect(watcher, "1:delete=s 1:delete=c");
    CHECK(mkdir("d", 0700) == 0 && chmod("d", 0755) == 0);
    DIR *directory = opendir("d");
    CHECK(directory != NULL && readdir(directory) && readdir(directory) && !readdir(directory));
    CHECK(closedir(directory) == 0 && rename("d", "e") == 0 && rmdir("e") == 0);
    expect(watcher, "1:create+dir=d 1:attrib+dir=d 1:open+dir=d 1:access+dir=d 1:close+dir=d 1:from+dir=d "
                    "1:to+dir=e 1:delete+dir=e");
    directory = opendir(".");
    CHECK(directory != NULL && readdir(directory) && closedir(directory) == 0);
    expect(watcher, "1:open+dir 1:access+dir 1:close+dir");
    CHECK(chmod(folder, 0711) == 0);
    expect(watcher, "1:attrib+dir");
    leave();
    expect(watcher, "1:delete-self 1:ignored");
    CHECK(close(watcher) == 0);
}

static void of_a_file(void) {
    enter();
    int file = make("a");
    CHECK(write(file, "abcdefgh", 8) == 8);
    int watcher = watch("a", IN_ALL_EVENTS);
    CHECK(inotify_add_watch(watcher, "a", IN_ALL_EVENTS) == 1 && inotify_add_watch(watcher, ".", IN_OPEN) == 2);
    CHECK(pwrite(file, "x", 1, 0) == 1 && link("a", "b") == 0 && unlink("a") == 0 && rename("b", "c") == 0);
    expect(watcher, "1:modify 1:attrib 1:move-self");
    int other = open("c", O_RDONLY);
    CHECK(other >= 0 && read(other, (char[9]){}, 9) == 8 && close(file) == 0);
    expect(watcher, "2:open=c 1:open 1:access 1:close-write");
    CHECK(unlink("c") == 0);
    expect(watcher, "1:attrib");
    CHECK(close(other) == 0);
    expect(watcher, "1:close 1:delete-self 1:ignored");
    CHECK_ERROR(inotify_rm_watch(watcher, 1), EINVAL);
    // What is replaced by a rename.
    CHECK(close(make("d")) == 0 && close(make("e")) == 0);
    CHECK(inotify_add_watch(watcher, "e", IN_ALL_EVENTS) == 3 && inotify_add_watch(watcher, ".", IN_MOVE) == 2);
    expect(watcher, "2:open=d 2:open=e");
    CHECK(rename("d", "e") == 0);
    expect(watcher, "2:from=d 2:to=e 3:attrib 3:delete-self 3:ignored");
    CHECK(unlink("e") == 0 && close(watcher) == 0);
    leave();
}

static void of_directories(void) {
    enter();
    CHECK(mkdir("a", 0700) == 0 && mkdir("b", 0700) == 0 && mkdir("c", 0700) == 0 && close(make("a/f")) == 0);
    int watcher = watch("a", IN_ALL_EVENTS);
    CHECK(inotify_add_watch(watcher, "b", IN_ALL_EVENTS) == 2 && inotify_add_watch(watcher, "c", IN_ALL_EVENTS) == 3);
    CHECK(rename("a/f", "b/g") == 0);
    _Alignas(8) char bytes[256];
    CHECK(read(watcher, bytes, sizeof bytes) == 64);
    const struct inotify_event *from = (const void *)bytes, *to = (const void *)(bytes + 32);
    CHECK(from->wd == 1 && from->mask == IN_MOVED_FROM && from->len == 16 && !strcmp(from->name, "f"));
    CHECK(to->wd == 2 && to->mask == IN_MOVED_TO && to->cookie == from->cookie && !strcmp(to->name, "g"));
    CHECK(rename("a", "t") == 0 && rename("b", "a") == 0 && rename("t", "b") == 0);
    expect(watcher, "1:move-self 2:move-self 1:move-self");
    // The first is called b now, and goes where the third was.
    CHECK(rename("b", "c") == 0);
    expect(watcher, "3:attrib+dir 1:move-self 3:delete-self 3:ignored");
    CHECK(close(make("c/x")) == 0 && unlink("c/x") == 0 && unlink("a/g") == 0 && rmdir("a") == 0);
    expect(watcher, "1:create=x 1:open=x 1:close-write=x 1:delete=x 2:delete=g 2:delete-self 2:ignored");
    int held = open("c", O_RDONLY);
    CHECK(rmdir("c") == 0);
    expect(watcher, "1:open+dir");
    CHECK(close(held) == 0);
    expect(watcher, "1:close+dir 1:delete-self 1:ignored");
    CHECK(close(watcher) == 0);
    leave();
}

static void exchanged(void) {
    enter();
    int one = make("a"), two = make("b"), watcher = watch(".", IN_MOVE | IN_MODIFY);
    CHECK(inotify_add_watch(watcher, "a", IN_MOVE_SELF) == 2 && inotify_add_watch(watcher, "b", IN_MOVE_SELF) == 3);
    CHECK(syscall(SYS_renameat2, AT_FDCWD, "a", AT_FDCWD, "b", 2 /* RENAME_EXCHANGE */) == 0);
    expect(watcher, "1:from=a 1:to=b 2:move-self 1:from=b 1:to=a 3:move-self");
    CHECK(write(one, "x", 1) == 1 && write(two, "x", 1) == 1 && close(one) == 0 && close(two) == 0);
    expect(watcher, "1:modify=b 1:modify=a");
    CHECK(close(watcher) == 0 && unlink("a") == 0 && unlink("b") == 0);
    leave();
}

static void masks(void) {
    enter();
    CHECK(close(make("f")) == 0 && symlink("f", "s") == 0);
    int watcher = inotify_init1(IN_NONBLOCK);
    CHECK_ERROR(inotify_init1(1), EINVAL);
    CHECK_ERROR(inotify_add_watch(watcher, "f", 0), EINVAL);
    CHECK_ERROR(inotify_add_watch(watcher, "f", IN_OPEN | IN_MASK_ADD | IN_MASK_CREATE), EINVAL);
    CHECK_ERROR(inotify_add_watch(watcher, "f", IN_OPEN | IN_ONLYDIR), ENOTDIR);
    CHECK_ERROR(inotify_add_watch(watcher, "none", IN_OPEN), ENOENT);
    CHECK_ERROR(inotify_add_watch(watcher, NULL, IN_OPEN), EFAULT);
    CHECK_ERROR(inotify_add_watch(1000, "f", IN_OPEN), EBADF);
    int file = open("f", O_RDWR);
    CHECK_ERROR(inotify_add_watch(file, "f", IN_OPEN), EINVAL);
    CHECK_ERROR(inotify_rm_watch(file, 1), EINVAL);
    CHECK_ERROR(inotify_rm_watch(watcher, 1), EINVAL);
    CHECK_ERROR(inotify_rm_watch(1000, 1), EBADF);
    CHECK_ERROR(write(watcher, "x", 1), EBADF);
    CHECK(inotify_add_watch(watcher, "f", IN_OPEN) == 1);
    CHECK(inotify_add_watch(watcher, "s", IN_MODIFY | IN_DONT_FOLLOW) == 2);
    CHECK(inotify_add_watch(watcher, "s", IN_MODIFY | IN_MASK_ADD) == 1);
    CHECK_ERROR(inotify_add_watch(watcher, "f", IN_ATTRIB | IN_MASK_CREATE), EEXIST);
    CHECK(write(file, "x", 1) == 1 && close(open("f", O_RDONLY)) == 0);
    expect(watcher, "1:modify 1:open");
    CHECK(inotify_add_watch(watcher, "f", IN_CLOSE) == 1 && close(open("f", O_RDONLY)) == 0);
    expect(watcher, "1:close");
    CHECK(inotify_rm_watch(watcher, 1) == 0 && write(file, "x", 1) == 1);
    expect(watcher, "1:ignored");
    CHECK(inotify_add_watch(watcher, "f", IN_MODIFY | IN_ONESHOT) == 3);
    CHECK(write(file, "x", 1) == 1 && write(file, "x", 1) == 1);
    expect(watcher, "3:modify 3:ignored");
    // Not what happens by names that are gone.
    int one = inotify_add_watch(watcher, ".", IN_MODIFY | IN_EXCL_UNLINK), two = watch(".", IN_MODIFY);
    CHECK(one == 4 && write(file, "x", 1) == 1 && unlink("f") == 0 && write(file, "x", 1) == 1);
    expect(watcher, "4:modify=f");
    CHECK(close(make("f")) == 0 && write(file, "x", 1) == 1 && write(file, "x", 1) == 1);
    expect(watcher, "");
    expect(two, "1:modify=f");
    CHECK(close(file) == 0 && unlink("s") == 0 && unlink("f") == 0 && close(watcher) == 0 && close(two) == 0);
    leave();
}

static void reading(void) {
    enter();
    int watcher = watch(".", IN_CREATE | IN_DELETE), ready = 0;
    _Alignas(8) char bytes[128];
    CHECK_ERROR(read(watcher, bytes, 1), EAGAIN);
    CHECK(ioctl(watcher, FIONREAD, &ready) == 0 && ready == 0);
    struct pollfd polled = {.fd = watcher, .events = POLLIN | POLLOUT};
    CHECK(poll(&polled, 1, 0) == 0);
    // 15 letters and their NUL fill 16 bytes, one more takes 16 more.
    CHECK(close(make("123456789012345")) == 0 && close(make("1234567890123456")) == 0);
    CHECK(poll(&polled, 1, 0) == 1 && polled.revents == POLLIN);
    CHECK(ioctl(watcher, FIONREAD, &ready) == 0 && ready == 32 + 48);
    CHECK_ERROR(read(watcher, bytes, 31), EINVAL);
    CHECK(read(watcher, bytes, 79) == 32 && ((struct inotify_event *)bytes)->len == 16);
    CHECK_ERROR(read(watcher, bytes, 47), EINVAL);
    CHECK(read(watcher, bytes, 48) == 48 && ((struct inotify_event *)bytes)->len == 32);
    CHECK(unlink("123456789012345") == 0);
    int set = epoll_create1(0);
    struct epoll_event wanted = {.events = EPOLLIN | EPOLLET}, found;
    CHECK(epoll_ctl(set, EPOLL_CTL_ADD, watcher, &wanted) == 0 && epoll_wait(set, &found, 1, 0) == 1);
    CHECK(epoll_wait(set, &found, 1, 0) == 0 && unlink("1234567890123456") == 0);
    CHECK(epoll_wait(set, &found, 1, 0) == 1 && found.events == EPOLLIN);
    expect(watcher, "1:delete=123456789012345 1:delete=1234567890123456");
    char name[64] = {0}, link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", watcher);
    CHECK(readlink(link, name, sizeof name - 1) > 0 && !strcmp(name, "anon_inode:inotify"));
    CHECK(fcntl(watcher, F_GETFL) == (O_RDONLY | O_NONBLOCK));
    CHECK(close(set) == 0 && close(watcher) == 0);
    leave();
}

static void moving_bytes(void) {
    enter();
    int one = make("1"), two = make("2"), pipes[2];
    CHECK(write(one, "abcdefgh", 8) == 8 && pipe(pipes) == 0);
    int watcher = watch(".", IN_ACCESS | IN_MODIFY);
    off_t start = 0, behind = 8;
    CHECK(sendfile(two, one, &start, 4) == 4);
    expect(watcher, "1:access=1 1:modify=2");
    start = 0;
    CHECK(copy_file_range(one, &start, two, &behind, 4, 0) == 4);
    expect(watcher, "1:access=1 1:modify=2");
    start = behind = 0;
    CHECK(splice(one, &start, pipes[1], NULL, 4, 0) == 4);
    expect(watcher, "1:access=1");
    CHECK(splice(pipes[0], NULL, two, &behind, 4, 0) == 4);
    expect(watcher, "1:modify=2");
    struct iovec parts[2] = {{.iov_base = "ab", .iov_len = 2}, {.iov_base = "cd", .iov_len = 2}};
    CHECK(writev(two, parts, 2) == 4 && pwrite(one, "x", 1, 3) == 1);
    expect(watcher, "1:modify=2 1:modify=1");
    // Stores into a mapping tell nobody.
    char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, one, 0);
    CHECK(mapped != MAP_FAILED && (mapped[0] = 'y') && msync(mapped, 4096, MS_SYNC) == 0 && munmap(mapped, 4096) == 0);
    expect(watcher, "");
    CHECK(close(one) == 0 && close(two) == 0 && unlink("1") == 0 && unlink("2") == 0 && close(watcher) == 0);
    CHECK(close(pipes[0]) == 0 && close(pipes[1]) == 0);
    leave();
}

static void names_that_change(void) {
    enter();
    CHECK(mkdir("d", 0700) == 0);
    int file = make("a"), watcher = watch(".", IN_MODIFY | IN_CLOSE_WRITE);
    CHECK(inotify_add_watch(watcher, "d", IN_MODIFY | IN_CLOSE_WRITE) == 2);
    CHECK(rename("a", "b") == 0 && write(file, "x", 1) == 1);
    expect(watcher, "1:modify=b");
    CHECK(rename("b", "d/c") == 0 && write(file, "x", 1) == 1);
    expect(watcher, "2:modify=c");
    char name[128] = {0}, link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    CHECK(readlink(link, name, sizeof name - 1) > 0 && !strcmp(name + strlen(folder), "/d/c"));
    CHECK(close(file) == 0);
    expect(watcher, "2:close-write=c");
    CHECK(unlink("d/c") == 0 && rmdir("d") == 0 && close(watcher) == 0);
    leave();
}

// A socket's name and a pipe's are files too.
static void special(void) {
    enter();
    int watcher = watch(".", IN_CREATE | IN_OPEN | IN_MODIFY | IN_ACCESS | IN_CLOSE);
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "s"};
    int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(bind(socket_, (void *)&name, sizeof name) == 0 && mkfifo("p", 0600) == 0 && close(socket_) == 0);
    expect(watcher, "1:create=s 1:create=p");
    int pipe_ = open("p", O_RDWR);
    CHECK(inotify_add_watch(watcher, "p", IN_MODIFY | IN_ACCESS) == 2);
    CHECK(write(pipe_, "x", 1) == 1 && read(pipe_, (char[1]){}, 1) == 1 && close(pipe_) == 0);
    // What goes through them is told to nobody who watches the directory only.
    expect(watcher, "1:open=p 2:modify 2:access 1:close-write=p");
    CHECK(close(watcher) == 0 && unlink("p") == 0 && unlink("s") == 0);
    leave();
}

static int awaited;
static void *make_it(void *nothing) {
    pause_a_little();
    CHECK(close(make("late")) == 0);
    return nothing;
}

static void waiting(void) {
    enter();
    awaited = inotify_init();
    CHECK(awaited >= 0 && inotify_add_watch(awaited, ".", IN_CLOSE_WRITE) == 1);
    pthread_t thread = start_thread(make_it, NULL);
    _Alignas(8) char bytes[128];
    CHECK(read(awaited, bytes, sizeof bytes) == 32 && !strcmp(bytes + sizeof(struct inotify_event), "late"));
    join_thread(thread);
    CHECK(unlink("late") == 0 && close(awaited) == 0);
    leave();
}

static void too_many(void) {
    enter();
    CHECK(close(make("a")) == 0 && close(make("b")) == 0);
    int watcher = watch(".", IN_ATTRIB), most = 0, ready = 0;
    FILE *limit = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
    CHECK(limit != NULL && fscanf(limit, "%d", &most) == 1 && fclose(limit) == 0 && most >= 1024);
    for (int turn = 0; turn < most + 10; turn++) REQUIRE(chmod(turn % 2 ? "a" : "b", 0600) == 0);
    CHECK(ioctl(watcher, FIONREAD, &ready) == 0 && ready == most * 32 + 16);
    char *bytes = malloc(ready);
    CHECK(read(watcher, bytes, ready) == ready);
    const struct inotify_event *last = (const void *)(bytes + ready - sizeof *last);
    CHECK(last->wd == -1 && last->mask == IN_Q_OVERFLOW && last->len == 0);
    free(bytes);
    CHECK(chmod("a", 0600) == 0);
    expect(watcher, "1:attrib=a");
    CHECK(unlink("a") == 0 && unlink("b") == 0 && close(watcher) == 0);
    leave();
}

// A file that finds no descriptor ends at once: who watches is told, and its name is asked for.
static void no_descriptor(void) {
    enter();
    int watcher = watch(".", IN_CLOSE | IN_EXCL_UNLINK);
    struct rlimit before, limit;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    limit = before, limit.rlim_cur = watcher + 1;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    CHECK_ERROR(open("/proc/self/fd/0", O_RDONLY), EMFILE);
    CHECK_ERROR(fcntl(0, F_DUPFD, 0), EMFILE);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0 && close(watcher) == 0);
    leave();
}

const struct test watch_tests[] = {
    {"watches_of_a_directory", of_a_directory}, {"watches_of_a_file", of_a_file},
    {"watches_of_directories", of_directories}, {"watches_exchanged", exchanged}, {"watches_masks", masks},
    {"watches_reading", reading}, {"watches_moving_bytes", moving_bytes},
    {"watches_names_that_change", names_that_change}, {"watches_special", special},
    {"watches_waiting", waiting}, {"watches_too_many", too_many}, {"watches_no_descriptor", no_descriptor}, {NULL, NULL},
};
