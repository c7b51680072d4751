// connections.c: sockets with names, connections, and what is no socket.
#include "tests.h"

static socklen_t name_it(struct sockaddr_un *name, const char *text, int is_abstract) {
    memset(name, 0, sizeof *name);
    name->sun_family = AF_UNIX;
    strcpy(name->sun_path + is_abstract, text);
    return offsetof(struct sockaddr_un, sun_path) + strlen(text) + 1;
}

static void *serve(void *listener) {
    char byte;
    int end = accept4(*(int *)listener, NULL, NULL, SOCK_CLOEXEC);
    CHECK(end >= 0 && fcntl(end, F_GETFD) == FD_CLOEXEC && read(end, &byte, 1) == 1 && write(end, &byte, 1) == 1);
    CHECK(read(end, &byte, 1) == 0 && close(end) == 0);
    return NULL;
}

static void connect_to(const char *text, int is_abstract) {
    struct sockaddr_un name, found;
    socklen_t length = name_it(&name, text, is_abstract), found_length = sizeof found;
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_ERROR(connect(client, (void *)&name, length), is_abstract ? ECONNREFUSED : ENOENT);
    CHECK_ERROR(listen(listener, 5), EINVAL);
    CHECK(bind(listener, (void *)&name, length) == 0);
    CHECK_ERROR(bind(listener, (void *)&name, length), is_abstract ? EINVAL : EADDRINUSE);
    CHECK_ERROR(bind(client, (void *)&name, length), EADDRINUSE);
    CHECK_ERROR(connect(client, (void *)&name, length), ECONNREFUSED);
    CHECK_ERROR(accept(listener, NULL, NULL), EINVAL);
    CHECK(listen(listener, 5) == 0);
    struct pollfd waiting = {.fd = listener, .events = POLLIN | POLLOUT};
    CHECK(poll(&waiting, 1, 0) == 0);
    pthread_t server = start_thread(serve, &listener);
    CHECK_ERROR(write(client, "x", 1), ENOTCONN);
    CHECK(connect(client, (void *)&name, length) == 0);
    CHECK_ERROR(connect(client, (void *)&name, length), EISCONN);
    char byte = 0;
    CHECK(write(client, "q", 1) == 1 && read(client, &byte, 1) == 1 && byte == 'q');
    CHECK(getpeername(client, (void *)&found, &found_length) == 0 && found_length == length);
    CHECK(memcmp(&found, &name, length) == 0);
    CHECK(close(client) == 0);
    join_thread(server);
    client = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(connect(client, (void *)&name, length) == 0 && poll(&waiting, 1, -1) == 1 && waiting.revents == POLLIN);
    CHECK(close(listener) == 0);
    CHECK_ERROR(read(client, &byte, 1), ECONNRESET);
    CHECK(close(client) == 0);
}

static void by_path(void) {
    // Nobody else's: a machine sees the folder of the host, where the same test may run.
    char folder[] = "/tmp/system-calls-XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/socket", folder);
    connect_to(path, 0);
    struct stat status;
    CHECK(stat(path, &status) == 0 && S_ISSOCK(status.st_mode));
    CHECK_ERROR(open(path, O_RDWR), ENXIO);
    struct sockaddr_un name;
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t length = name_it(&name, path, 0);
    CHECK_ERROR(connect(client, (void *)&name, length), ECONNREFUSED);
    CHECK(close(client) == 0 && unlink(path) == 0 && rmdir(folder) == 0);
}

static void without_a_file(void) { connect_to("system-calls-abstract", 1); }

static void datagrams_by_name(void) {
    struct sockaddr_un name, other, found;
    socklen_t length = name_it(&name, "system-calls-one", 1), other_length = name_it(&other, "system-calls-two", 1);
    int one = socket(AF_UNIX, SOCK_DGRAM, 0), two = socket(AF_UNIX, SOCK_DGRAM, 0);
    CHECK(bind(one, (void *)&name, length) == 0 && bind(two, (void *)&other, other_length) == 0);
    CHECK(sendto(one, "abc", 3, 0, (void *)&other, other_length) == 3);
    char bytes[8];
    socklen_t found_length = sizeof found;
    CHECK(recvfrom(two, bytes, sizeof bytes, 0, (void *)&found, &found_length) == 3);
    CHECK(found_length == length && memcmp(&found, &name, length) == 0);
    CHECK(connect(two, (void *)&name, length) == 0 && send(two, "de", 2, 0) == 2);
    CHECK(recv(one, bytes, sizeof bytes, 0) == 2 && close(one) == 0 && close(two) == 0);
}

// A socket gets one name, and no file is left of another one.
static void second_name(void) {
    struct sockaddr_un one, two;
    char first[64], second[64];
    sprintf(first, "/tmp/first-name-%d", (int)getpid()), sprintf(second, "/tmp/second-name-%d", (int)getpid());
    socklen_t length = name_it(&one, first, 0), other = name_it(&two, second, 0);
    int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(bind(socket_, (void *)&one, length) == 0 && access(first, F_OK) == 0);
    CHECK_ERROR(bind(socket_, (void *)&two, other), EINVAL);
    CHECK_ERROR(access(second, F_OK), ENOENT);
    CHECK_ERROR(bind(socket_, (void *)&one, length), EADDRINUSE);
    CHECK(access(first, F_OK) == 0 && unlink(first) == 0 && close(socket_) == 0);
}

static void mode_of_a_socket(void) {
    struct stat status;
    int alone = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(fstat(alone, &status) == 0 && status.st_mode == (S_IFSOCK | 0777));
    CHECK(fchmod(alone, 0640) == 0 && fstat(alone, &status) == 0 && status.st_mode == (S_IFSOCK | 0640));
    CHECK(fchown(alone, -1, status.st_gid) == 0 && close(alone) == 0);
}

static void no_socket(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    socklen_t length = sizeof name;
    int value = 0, file = make_file("x"), ends[2];
    CHECK(pipe(ends) == 0);
    int others[] = {file, ends[0]};
    for (int index = 0; index < 2; index++) {
        CHECK_ERROR(getpeername(others[index], (void *)&name, &length), ENOTSOCK);
        CHECK_ERROR(getsockname(others[index], (void *)&name, &length), ENOTSOCK);
        CHECK_ERROR(getsockopt(others[index], SOL_SOCKET, SO_TYPE, &value, &length), ENOTSOCK);
        CHECK_ERROR(setsockopt(others[index], SOL_SOCKET, SO_REUSEADDR, &value, sizeof value), ENOTSOCK);
        CHECK_ERROR(recv(others[index], &value, 1, 0), ENOTSOCK);
        CHECK_ERROR(send(others[index], &value, 1, 0), ENOTSOCK);
        CHECK_ERROR(listen(others[index], 1), ENOTSOCK);
        CHECK_ERROR(accept(others[index], NULL, NULL), ENOTSOCK);
        CHECK_ERROR(shutdown(others[index], SHUT_RD), ENOTSOCK);
    }
    CHECK_ERROR(getpeername(-1, (void *)&name, &length), EBADF);
    CHECK_ERROR(socket(27, SOCK_STREAM, 0), EAFNOSUPPORT);
    CHECK_ERROR(socket(AF_UNIX, 7, 0), ESOCKTNOSUPPORT);
    CHECK_ERROR(socket(AF_UNIX, SOCK_STREAM, 9), EPROTONOSUPPORT);
    CHECK_ERROR(socket(AF_UNIX, SOCK_STREAM | 0x100, 0), EINVAL);
    int alone = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_ERROR(getpeername(alone, (void *)&name, &length), ENOTCONN);
    CHECK_ERROR(read(alone, &value, 1), EINVAL);
    CHECK_ERROR(bind(alone, (void *)&name, 1), EINVAL);
    CHECK(close(alone) == 0 && close(file) == 0 && close(ends[0]) == 0 && close(ends[1]) == 0);
}

const struct test connection_tests[] = {
    {"connections_by_path", by_path},
    {"connections_without_a_file", without_a_file},
    {"connections_datagrams_by_name", datagrams_by_name},
    {"connections_second_name", second_name},
    {"connections_mode_of_a_socket", mode_of_a_socket},
    {"connections_no_socket", no_socket},
    {NULL, NULL},
};
