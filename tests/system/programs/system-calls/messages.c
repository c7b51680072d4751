// messages.c: System V message queues (msgget(2), msgsnd(2), msgrcv(2), msgctl(2)).
#include "tests.h"
#include <sys/ipc.h>
#include <sys/msg.h>

#ifndef MSG_COPY
#define MSG_COPY 040000
#endif
#ifndef MSG_EXCEPT
#define MSG_EXCEPT 020000
#endif
#ifndef MSG_STAT
#define MSG_STAT 11
#define MSG_INFO 12
#endif
#ifndef MSG_STAT_ANY
#define MSG_STAT_ANY 13
#endif

struct message {
    long kind;
    char text[8192];
};

// musl does not show it.
struct limits {
    int pool, map, max, room, queues, size, total;
    unsigned short segments;
};

static int made(void) {
    int queue = msgget(IPC_PRIVATE, 0600);
    CHECK(queue >= 0);
    return queue;
}

static int put(int queue, long kind, const char *text, int flags) {
    struct message message = {.kind = kind};
    strcpy(message.text, text);
    return msgsnd(queue, &message, strlen(text), flags);
}

// Whether the message that is wanted is this one.
static int is(int queue, long wanted, int flags, long kind, const char *text) {
    struct message message;
    ssize_t length = msgrcv(queue, &message, sizeof message.text, wanted, flags | IPC_NOWAIT);
    return length == (ssize_t)strlen(text) && message.kind == kind && memcmp(message.text, text, length) == 0;
}

static struct msqid_ds status(int queue) {
    struct msqid_ds status;
    CHECK(msgctl(queue, IPC_STAT, &status) == 0);
    return status;
}

static void keys(void) {
    key_t key = getpid() << 8 | 1;
    int queue = msgget(key, IPC_CREAT | IPC_EXCL | 0600);
    CHECK(queue >= 0 && msgget(key, 0) == queue && msgget(key, IPC_CREAT | 0600) == queue);
    CHECK_ERROR(msgget(key, IPC_CREAT | IPC_EXCL | 0600), EEXIST);
    CHECK_ERROR(msgget(key + 1, 0600), ENOENT);
    CHECK(msgctl(queue, IPC_RMID, NULL) == 0);
    CHECK_ERROR(msgctl(queue, IPC_RMID, NULL), EINVAL);
    CHECK_ERROR(put(queue, 1, "x", 0), EINVAL);
}

static void selections(void) {
    int queue = made();
    const char *texts[] = {"three", "one", "two", "another one", "", "five"};
    long kinds[] = {3, 1, 2, 1, 4, 5};
    for (int index = 0; index < 6; index++) CHECK(put(queue, kinds[index], texts[index], 0) == 0);
    struct msqid_ds now = status(queue);
    CHECK(now.msg_qnum == 6 && now.__msg_cbytes == 26 && now.msg_qbytes == 16384 && now.msg_lspid == getpid());
    CHECK(now.msg_stime > 0 && now.msg_rtime == 0 && now.msg_lrpid == 0 && now.msg_perm.mode == 0600);
    CHECK(is(queue, 0, MSG_COPY, 3, "three") && is(queue, 3, MSG_COPY, 1, "another one"));
    CHECK(!is(queue, 6, MSG_COPY, 0, "") && errno == ENOMSG);
    CHECK(is(queue, 3, MSG_EXCEPT, 1, "one") && is(queue, -2, 0, 1, "another one") && is(queue, -2, 0, 2, "two"));
    CHECK(!is(queue, -2, 0, 0, "") && errno == ENOMSG);
    CHECK(is(queue, 4, 0, 4, "") && is(queue, 0, 0, 3, "three"));
    struct message message = {.text = "........"};
    CHECK_ERROR(msgrcv(queue, &message, 2, 5, IPC_NOWAIT), E2BIG);
    CHECK_ERROR(msgrcv(queue, &message, 2, 0, MSG_COPY | IPC_NOWAIT), E2BIG);
    CHECK_ERROR(msgrcv(queue, &message, 2, 0, MSG_COPY | IPC_NOWAIT | MSG_NOERROR), EINVAL);
    CHECK_ERROR(msgrcv(queue, &message, 9, 0, MSG_COPY), EINVAL);
    CHECK_ERROR(msgrcv(queue, &message, 9, 0, MSG_COPY | MSG_EXCEPT | IPC_NOWAIT), EINVAL);
    CHECK(msgrcv(queue, &message, 2, 5, MSG_NOERROR) == 2 && memcmp(message.text, "fi...", 5) == 0);
    CHECK(status(queue).msg_qnum == 0 && status(queue).msg_rtime > 0 && status(queue).msg_lrpid == getpid());
    CHECK_ERROR(msgrcv(queue, &message, -1, 0, IPC_NOWAIT), EINVAL);
    CHECK_ERROR(msgrcv(queue, &message, 9, 0, IPC_NOWAIT), ENOMSG);
    CHECK_ERROR(put(queue, 0, "x", 0), EINVAL);
    CHECK_ERROR(put(queue, -1, "x", 0), EINVAL);
    CHECK_ERROR(msgsnd(queue, &message, 8193, 0), EINVAL);
    message.kind = 1;
    CHECK_ERROR(msgsnd(queue, (void *)8, 1, 0), EFAULT);
    CHECK(msgsnd(queue, &message, 8192, 0) == 0 && msgsnd(queue, &message, 8192, 0) == 0);
    CHECK_ERROR(put(queue, 1, "x", IPC_NOWAIT), EAGAIN);
    CHECK(put(queue, 1, "", IPC_NOWAIT) == 0);
    CHECK(msgctl(queue, IPC_RMID, NULL) == 0);
}

static void looks(void) {
    int queue = made();
    struct msqid_ds now = status(queue);
    struct limits limits;
    int highest = msgctl(0, IPC_INFO, (struct msqid_ds *)&limits);
    CHECK(highest >= 0 && limits.max == 8192 && limits.room == 16384 && limits.queues == 32000 && limits.size == 16);
    CHECK(limits.pool == 512000 && limits.map == 16384 && limits.total == 16384 && limits.segments == 65535);
    CHECK(put(queue, 7, "four", 0) == 0 && msgctl(0, MSG_INFO, (struct msqid_ds *)&limits) == highest);
    CHECK(limits.pool >= 1 && limits.map >= 1 && limits.total >= 4);
    CHECK(msgctl(queue & 0x7fff, MSG_STAT, &now) == queue && msgctl(queue & 0x7fff, MSG_STAT_ANY, &now) == queue);
    now.msg_qbytes = 4, now.msg_perm.mode = 0644;
    CHECK(msgctl(queue, IPC_SET, &now) == 0 && status(queue).msg_qbytes == 4 && status(queue).msg_perm.mode == 0644);
    CHECK_ERROR(put(queue, 1, "x", IPC_NOWAIT), EAGAIN);
    CHECK_ERROR(msgctl(queue, 99, &now), EINVAL);
    char line[256];
    int number = -1, mode = 0, bytes = 0, count = 0;
    FILE *list = fopen("/proc/sysvipc/msg", "r");
    CHECK(list && fgets(line, sizeof line, list) && strncmp(line, "       key      msqid perms      cbytes", 39) == 0);
    while (number != queue && fgets(line, sizeof line, list))
        sscanf(line, "%*d %d %o %d %d", &number, &mode, &bytes, &count);
    CHECK(number == queue && mode == 0644 && bytes == 4 && count == 1 && strlen(line) == 120 && fclose(list) == 0);
    CHECK(msgctl(queue, IPC_RMID, NULL) == 0);
}

struct wish {
    int queue, flags, error;
    long kind;
    ssize_t length;
    struct message message;
    pthread_t thread;
    _Atomic int id;
};

static void *receives(void *argument) {
    struct wish *wish = argument;
    wish->id = (int)thread_id();
    wish->length = msgrcv(wish->queue, &wish->message, 8, wish->kind, wish->flags);
    wish->error = errno;
    return NULL;
}

static void *sends(void *argument) {
    struct wish *wish = argument;
    wish->id = (int)thread_id();
    wish->length = msgsnd(wish->queue, &wish->message, wish->length, 0);
    wish->error = errno;
    return NULL;
}

// Nothing tells who waits for a queue: it is given time to.
static void start(struct wish *wish, void *(*body)(void *)) {
    wish->thread = start_thread(body, wish);
    AWAIT(wish->id);
    for (int round = 0; round < 20; round++) pause_a_little();
}

static void nothing(int signal, siginfo_t *information, void *context) { (void)signal, (void)information, (void)context; }

static void waiting(void) {
    int queue = made();
    struct wish two = {.queue = queue, .kind = 2}, any = {.queue = queue};
    start(&two, receives);
    CHECK(put(queue, 1, "one", 0) == 0 && put(queue, 2, "two", 0) == 0);
    join_thread(two.thread);
    CHECK(two.length == 3 && memcmp(two.message.text, "two", 3) == 0 && is(queue, 0, 0, 1, "one"));
    // One with too little room is told so; the message stays.
    start(&any, receives);
    CHECK(put(queue, 1, "longer than eight", 0) == 0);
    join_thread(any.thread);
    CHECK(any.length == -1 && any.error == E2BIG && is(queue, 0, 0, 1, "longer than eight"));
    struct message large = {.kind = 1};
    CHECK(msgsnd(queue, &large, 8192, 0) == 0 && msgsnd(queue, &large, 8100, 0) == 0);
    struct wish sender = {.queue = queue, .length = 100, .message.kind = 5};
    start(&sender, sends);
    CHECK(status(queue).msg_qnum == 2 && msgrcv(queue, &large, 8192, 0, 0) == 8192);
    join_thread(sender.thread);
    CHECK(sender.length == 0 && status(queue).msg_qnum == 2 && status(queue).__msg_cbytes == 8200);
    struct wish interrupted = {.queue = queue, .kind = 9}, gone = {.queue = queue, .kind = 9};
    handle(SIGUSR1, nothing, SA_RESTART);
    start(&interrupted, receives);
    CHECK(pthread_kill(interrupted.thread, SIGUSR1) == 0);
    join_thread(interrupted.thread);
    CHECK(interrupted.length == -1 && interrupted.error == EINTR);
    start(&gone, receives);
    CHECK(msgctl(queue, IPC_RMID, NULL) == 0);
    join_thread(gone.thread);
    CHECK(gone.length == -1 && gone.error == EIDRM);
}

static void *answers(void *queues) {
    struct message message;
    for (int round = 0; round < scaled(1000); round++) {
        REQUIRE(msgrcv(((int *)queues)[0], &message, 8, 1, 0) == 4);
        REQUIRE(msgsnd(((int *)queues)[1], &message, 4, 0) == 0);
    }
    return NULL;
}

static void there_and_back(void) {
    int queues[] = {made(), made()};
    pthread_t thread = start_thread(answers, queues);
    for (int round = 0; round < scaled(1000); round++) {
        struct message message = {.kind = 1};
        memcpy(message.text, &round, 4);
        REQUIRE(msgsnd(queues[0], &message, 4, 0) == 0 && msgrcv(queues[1], &message, 8, 0, 0) == 4);
        REQUIRE(memcmp(message.text, &round, 4) == 0);
    }
    join_thread(thread);
    CHECK(msgctl(queues[0], IPC_RMID, NULL) == 0 && msgctl(queues[1], IPC_RMID, NULL) == 0);
}

const struct test message_tests[] = {{"messages_keys", keys}, {"messages_selections", selections},
    {"messages_looks", looks}, {"messages_waiting", waiting}, {"messages_there_and_back", there_and_back},
    {NULL, NULL}};
