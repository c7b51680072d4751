// sockets.c: pairs of sockets, what they carry and how they end (unix(7)).
#include "tests.h"

#include <sys/ioctl.h>

static int pair[2];

static void make_pair(int type) { CHECK(socketpair(AF_UNIX, type, 0, pair) == 0); }
static void close_pair(void) { CHECK(close(pair[0]) == 0 && close(pair[1]) == 0); }

static short ready(int descriptor) {
    struct pollfd poll_for = {.fd = descriptor, .events = POLLIN | POLLOUT | POLLRDHUP};
    CHECK(poll(&poll_for, 1, 0) >= 0);
    return poll_for.revents;
}

static int option(int descriptor, int name) {
    int value = -1;
    socklen_t length = sizeof value;
    CHECK(getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 && length == sizeof value);
    return value;
}

static atomic_int broken;
static void count_broken(int signal, siginfo_t *information, void *context) {
    (void)signal, (void)information, (void)context;
    broken++;
}

static void streams(void) {
    char bytes[16];
    make_pair(SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK);
    CHECK(fcntl(pair[0], F_GETFD) == FD_CLOEXEC && (fcntl(pair[1], F_GETFL) & O_NONBLOCK));
    CHECK_ERROR(read(pair[0], bytes, 1), EAGAIN);
    CHECK(ready(pair[0]) == POLLOUT);
    CHECK(write(pair[0], "abc", 3) == 3 && send(pair[0], "de", 2, MSG_NOSIGNAL) == 2);
    int waiting = 0;
    CHECK(ioctl(pair[1], FIONREAD, &waiting) == 0 && waiting == 5 && ready(pair[1]) == (POLLIN | POLLOUT));
    CHECK(recv(pair[1], bytes, 4, MSG_PEEK) == 4 && memcmp(bytes, "abcd", 4) == 0);
    CHECK(recv(pair[1], bytes, sizeof bytes, 0) == 5 && memcmp(bytes, "abcde", 5) == 0);
    CHECK_ERROR(recv(pair[1], bytes, 1, 0), EAGAIN);
    CHECK_ERROR(lseek(pair[0], 0, SEEK_SET), ESPIPE);
    CHECK_ERROR(pread(pair[0], bytes, 1, 0), ESPIPE);
    struct stat status;
    CHECK(fstat(pair[0], &status) == 0 && S_ISSOCK(status.st_mode));
    char link[64], name[64] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", pair[0]);
    CHECK(readlink(link, name, sizeof name - 1) > 0 && strncmp(name, "socket:[", 8) == 0);
    close_pair();
}

static void messages(void) {
    static const int types[] = {SOCK_DGRAM, SOCK_SEQPACKET};
    for (int index = 0; index < 2; index++) {
        char bytes[16];
        make_pair(types[index]);
        CHECK(write(pair[0], "abc", 3) == 3 && write(pair[0], "", 0) == 0 && write(pair[0], "defgh", 5) == 5);
        struct iovec pieces[2] = {{.iov_base = "xy", .iov_len = 2}, {.iov_base = "z", .iov_len = 1}};
        CHECK(writev(pair[0], pieces, 2) == 3);
        CHECK(read(pair[1], bytes, sizeof bytes) == 3 && recv(pair[1], bytes, sizeof bytes, MSG_DONTWAIT) == 0);
        CHECK(recv(pair[1], bytes, 2, MSG_TRUNC | MSG_PEEK) == 5 && recv(pair[1], bytes, 2, 0) == 2);
        char one, rest[4];
        struct iovec parts[2] = {{.iov_base = &one, .iov_len = 1}, {.iov_base = rest, .iov_len = sizeof rest}};
        CHECK(readv(pair[1], parts, 2) == 3 && one == 'x' && memcmp(rest, "yz", 2) == 0);
        CHECK_ERROR(recv(pair[1], bytes, 1, MSG_DONTWAIT), EAGAIN);
        CHECK_ERROR(send(pair[0], malloc(1 << 20), 1 << 20, 0), EMSGSIZE);
        close_pair();
    }
}

static void ends(void) {
    char byte;
    handle(SIGPIPE, count_broken, 0);
    make_pair(SOCK_STREAM);
    CHECK(shutdown(pair[1], SHUT_WR) == 0 && ready(pair[0]) == (POLLIN | POLLOUT | POLLRDHUP));
    CHECK(read(pair[0], &byte, 1) == 0 && write(pair[0], "x", 1) == 1 && read(pair[1], &byte, 1) == 1);
    CHECK_ERROR(send(pair[1], "x", 1, MSG_NOSIGNAL), EPIPE);
    CHECK(broken == 0);
    CHECK_ERROR(write(pair[1], "x", 1), EPIPE);
    CHECK(broken == 1);
    CHECK_ERROR(shutdown(pair[0], 3), EINVAL);
    CHECK(close(pair[1]) == 0 && ready(pair[0]) == (POLLIN | POLLOUT | POLLHUP | POLLRDHUP));
    CHECK(close(pair[0]) == 0);
    make_pair(SOCK_STREAM);
    CHECK(write(pair[0], "x", 1) == 1 && close(pair[1]) == 0 && (ready(pair[0]) & POLLERR));
    CHECK_ERROR(read(pair[0], &byte, 1), ECONNRESET);
    CHECK(read(pair[0], &byte, 1) == 0 && close(pair[0]) == 0);
    make_pair(SOCK_SEQPACKET);
    CHECK(close(pair[1]) == 0 && read(pair[0], &byte, 1) == 0);
    CHECK_ERROR(write(pair[0], "x", 1), EPIPE);
    CHECK(close(pair[0]) == 0 && broken == 1);
    make_pair(SOCK_DGRAM);
    CHECK(close(pair[1]) == 0 && ready(pair[0]) == POLLOUT);
    CHECK_ERROR(write(pair[0], "x", 1), ECONNREFUSED);
    CHECK_ERROR(write(pair[0], "x", 1), ENOTCONN);
    CHECK(close(pair[0]) == 0);
}

static void options(void) {
    make_pair(SOCK_STREAM);
    CHECK(option(pair[0], SO_TYPE) == SOCK_STREAM && option(pair[0], SO_DOMAIN) == AF_UNIX);
    CHECK(option(pair[0], SO_PROTOCOL) == 0 && option(pair[0], SO_ERROR) == 0 && option(pair[0], SO_ACCEPTCONN) == 0);
    CHECK(option(pair[0], SO_SNDBUF) == 212992 && option(pair[0], SO_RCVBUF) == 212992);
    int size = 10000;
    CHECK(setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0 && option(pair[0], SO_SNDBUF) == 20000);
    struct ucred who;
    socklen_t length = sizeof who;
    CHECK(getsockopt(pair[0], SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 && length == sizeof who);
    CHECK(who.pid == getpid() && who.uid == geteuid() && who.gid == getegid());
    CHECK_ERROR(getsockopt(pair[0], SOL_SOCKET, 9999, &who, &length), ENOPROTOOPT);
    CHECK_ERROR(getsockopt(pair[0], 6, 1, &who, &length), EOPNOTSUPP);
    struct timeval limit = {.tv_usec = 20000}, found = {.tv_sec = 9};
    CHECK(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    length = sizeof found;
    CHECK(getsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &found, &length) == 0 && found.tv_sec == 0);
    char byte;
    CHECK_ERROR(read(pair[0], &byte, 1), EAGAIN);
    CHECK_ERROR(recv(pair[0], &byte, 1, 0), EAGAIN);
    struct sockaddr_un name;
    length = sizeof name;
    CHECK(getsockname(pair[0], (void *)&name, &length) == 0 && length == 2 && name.sun_family == AF_UNIX);
    length = sizeof name;
    CHECK(getpeername(pair[0], (void *)&name, &length) == 0 && length == 2);
    close_pair();
}

static void *send_much(void *size) {
    char *bytes = calloc(1, (size_t)size);
    CHECK(send(pair[0], bytes, (size_t)size, 0) == (ssize_t)size);
    free(bytes);
    return NULL;
}

static void waits(void) {
    make_pair(SOCK_STREAM);
    size_t size = 3 << 20;
    char *bytes = malloc(size);
    pthread_t thread = start_thread(send_much, (void *)size);
    CHECK(recv(pair[1], bytes, size, MSG_WAITALL) == (ssize_t)size);
    join_thread(thread);
    free(bytes);
    int sent = 0;
    while (send(pair[0], "0123456789", 10, MSG_DONTWAIT) == 10) sent++;
    CHECK(errno == EAGAIN && sent > 100 && !(ready(pair[0]) & POLLOUT));
    close_pair();
}

static void descriptors_travel(void) {
    make_pair(SOCK_STREAM);
    int file = make_file("travels");
    char control[CMSG_SPACE(sizeof(struct ucred))] = {0}, bytes[8];
    struct iovec piece = {.iov_base = "x", .iov_len = 1};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control,
                             .msg_controllen = CMSG_SPACE(sizeof(int))};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof file), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(header), &file, sizeof file);
    CHECK(sendmsg(pair[0], &message, 0) == 1 && close(file) == 0);
    piece = (struct iovec){.iov_base = bytes, .iov_len = sizeof bytes};
    message.msg_controllen = sizeof control;
    CHECK(recvmsg(pair[1], &message, MSG_CMSG_CLOEXEC) == 1 && (header = CMSG_FIRSTHDR(&message)) != NULL);
    CHECK(header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof file));
    memcpy(&file, CMSG_DATA(header), sizeof file);
    CHECK(fcntl(file, F_GETFD) == FD_CLOEXEC && read(file, bytes, sizeof bytes) == 7 && close(file) == 0);
    int on = 1;
    CHECK(setsockopt(pair[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 && write(pair[0], "y", 1) == 1);
    message.msg_controllen = sizeof control;
    CHECK(recvmsg(pair[1], &message, 0) == 1 && (header = CMSG_FIRSTHDR(&message)) != NULL);
    struct ucred who;
    CHECK(header->cmsg_type == SCM_CREDENTIALS && header->cmsg_len == CMSG_LEN(sizeof who));
    memcpy(&who, CMSG_DATA(header), sizeof who);
    CHECK(who.pid == getpid() && who.uid == geteuid());
    message = (struct msghdr){.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = 8};
    CHECK(write(pair[0], "z", 1) == 1 && recvmsg(pair[1], &message, 0) == 1 && (message.msg_flags & MSG_CTRUNC));
    close_pair();
}

static void several_messages(void) {
    make_pair(SOCK_DGRAM);
    char first[4], second[4];
    struct iovec out[2] = {{.iov_base = "ab", .iov_len = 2}, {.iov_base = "cde", .iov_len = 3}};
    struct iovec in[2] = {{.iov_base = first, .iov_len = 4}, {.iov_base = second, .iov_len = 4}};
    struct mmsghdr sent[2] = {{.msg_hdr = {.msg_iov = out, .msg_iovlen = 1}},
                              {.msg_hdr = {.msg_iov = out + 1, .msg_iovlen = 1}}};
    struct mmsghdr received[2] = {{.msg_hdr = {.msg_iov = in, .msg_iovlen = 1}},
                                  {.msg_hdr = {.msg_iov = in + 1, .msg_iovlen = 1}}};
    CHECK(sendmmsg(pair[0], sent, 2, 0) == 2 && sent[0].msg_len == 2 && sent[1].msg_len == 3);
    CHECK(recvmmsg(pair[1], received, 2, 0, NULL) == 2 && received[0].msg_len == 2 && received[1].msg_len == 3);
    CHECK(memcmp(second, "cde", 3) == 0);
    CHECK_ERROR(recvmmsg(pair[1], received, 2, MSG_DONTWAIT, NULL), EAGAIN);
    close_pair();
}

const struct test socket_tests[] = {
    {"sockets_streams", streams},
    {"sockets_messages", messages},
    {"sockets_ends", ends},
    {"sockets_options", options},
    {"sockets_waits", waits},
    {"sockets_descriptors_travel", descriptors_travel},
    {"sockets_several_messages", several_messages},
    {NULL, NULL},
};
