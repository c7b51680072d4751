// rights.c: sockets that travel in sockets (unix(7)): chains that are thousands long, circles, and how many may travel.
#include "tests.h"

static int pair_of(int type, int *ends) { return socketpair(AF_UNIX, type, 0, ends); }

// Sends these descriptors with a byte.
static int carry(int by, int count, const int *what) {
    char byte = 0, control[CMSG_SPACE(4 * sizeof(int))] = {0};
    struct iovec vector = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = CMSG_SPACE(count * sizeof(int))};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_len = CMSG_LEN(count * sizeof(int)), header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(header), what, count * sizeof(int));
    return (int)sendmsg(by, &message, MSG_DONTWAIT);
}

// Whether nobody can write to a pipe any more. Linux looks for circles when a socket is closed, and passes over one
// that came about while it was already looking: each question closes another pair.
static int has_ended(int reader) {
    int other[2];
    REQUIRE(pair_of(SOCK_STREAM, other) == 0 && close(other[0]) == 0 && close(other[1]) == 0);
    struct pollfd wait = {.fd = reader, .events = POLLIN};
    return poll(&wait, 1, 0) == 1 && wait.revents == POLLHUP;
}

// Waits until the last writing end, which was in what has gone, has gone too.
static void await_end(int reader) {
    AWAIT(has_ended(reader));
    char byte;
    CHECK(read(reader, &byte, 1) == 0 && close(reader) == 0);
}

static int witness(int by) {
    int ends[2];
    CHECK(pipe(ends) == 0 && carry(by, 1, &ends[1]) == 1 && close(ends[1]) == 0);
    return ends[0];
}

// Each end travels in the next, its peer with it if `both`; then the last is closed.
static void chain(int type, int both) {
    enum { LENGTH = 3000 };
    int last[2], next[2];
    REQUIRE(pair_of(type, last) == 0);
    int reader = witness(last[0]);
    for (int index = 0; index < LENGTH; index++) {
        REQUIRE(pair_of(type, next) == 0);
        int travel[2] = {last[1], last[0]};
        REQUIRE(carry(next[0], 1 + both, travel) == 1 && close(last[1]) == 0 && close(last[0]) == 0);
        memcpy(last, next, sizeof last);
    }
    CHECK(close(last[0]) == 0 && close(last[1]) == 0);
    await_end(reader);
}

static void chains(void) {
    chain(SOCK_STREAM, 0), chain(SOCK_SEQPACKET, 0), chain(SOCK_DGRAM, 0), chain(SOCK_DGRAM, 1);
}

static void over_itself(void) {
    for (int length = 1; length <= 5; length++) {
        int ends[5][2];
        for (int index = 0; index < length; index++) CHECK(pair_of(SOCK_STREAM, ends[index]) == 0);
        for (int index = 0; index < length; index++) CHECK(carry(ends[index][0], 1, &ends[(index + 1) % length][1]) == 1);
        int reader = witness(ends[0][0]);
        for (int index = 0; index < length; index++) CHECK(close(ends[index][0]) == 0 && close(ends[index][1]) == 0);
        await_end(reader);
    }
}

// A circle that somebody can reach stays whole.
static void reachable(void) {
    int one[2], two[2], ends[2];
    CHECK(pair_of(SOCK_STREAM, one) == 0 && pair_of(SOCK_STREAM, two) == 0 && pipe(ends) == 0);
    CHECK(carry(one[0], 1, &two[1]) == 1 && carry(two[0], 1, &one[1]) == 1 && carry(two[0], 1, &ends[1]) == 1);
    CHECK(close(two[0]) == 0 && close(two[1]) == 0 && close(ends[1]) == 0);
    int other[2];
    CHECK(pair_of(SOCK_STREAM, other) == 0 && close(other[0]) == 0 && close(other[1]) == 0);
    char byte, control[CMSG_SPACE(sizeof(int))];
    struct iovec vector = {&byte, 1};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    CHECK(recvmsg(one[1], &message, 0) == 1 && CMSG_FIRSTHDR(&message));
    int taken;
    memcpy(&taken, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof taken);
    CHECK(read(taken, &byte, 1) == 1 && close(taken) == 0 && close(one[0]) == 0 && close(one[1]) == 0);
    await_end(ends[0]);
}

// Who may not do everything has no more under way than it may have open.
static void limited(void) {
    struct rlimit before, few;
    int ends[2], sent = 0;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0 && pair_of(SOCK_STREAM, ends) == 0);
    int root = geteuid() == 0;
    if (root) CHECK(setresuid(4321, 4321, 0) == 0);
    few = before, few.rlim_cur = 50;
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    while (sent < 100 && carry(ends[0], 1, ends) == 1) sent++;
    CHECK(errno == ETOOMANYREFS && sent == 51);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    if (root) {
        CHECK(setresuid(0, 0, 0) == 0);
        while (sent < 100 && carry(ends[0], 1, ends) == 1) sent++;
        CHECK(sent == 100);
    }
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void datagrams_in_the_buffer(void) {
    static char bytes[106496];
    int types[] = {SOCK_DGRAM, SOCK_SEQPACKET};
    for (int index = 0; index < 2; index++) {
        int ends[2], sent = 0;
        CHECK(pair_of(types[index] | SOCK_NONBLOCK, ends) == 0);
        while (write(ends[0], bytes, sizeof bytes) > 0) sent++;
        CHECK(errno == EAGAIN && sent == 2 && read(ends[1], bytes, sizeof bytes) == sizeof bytes);
        CHECK(write(ends[0], bytes, 1) == 1 && close(ends[0]) == 0 && close(ends[1]) == 0);
        CHECK(pair_of(types[index] | SOCK_NONBLOCK, ends) == 0);
        for (sent = 0; write(ends[0], bytes, 1) > 0;) sent++;
        CHECK(sent == 278 && close(ends[0]) == 0 && close(ends[1]) == 0);
    }
}

const struct test right_tests[] = {
    {"chains_of_sockets", chains},
    {"sockets_sent_over_themselves", over_itself},
    {"circles_in_reach", reachable},
    {"how_many_may_travel", limited},
    {"datagrams_in_the_buffer", datagrams_in_the_buffer},
    {NULL, NULL},
};
