// queues.c: POSIX message queues (mq_overview(7)).
#include "tests.h"
#include <mqueue.h>
#include <sys/resource.h>
#include <sys/epoll.h>

static char name[64];

static const char *fresh(void) {
    static int count;
    snprintf(name, sizeof name, "/system-calls-%d-%d", (int)getpid(), count++);
    return name;
}

static mqd_t made(int flags, long most, long longest) {
    struct mq_attr attributes = {.mq_maxmsg = most, .mq_msgsize = longest};
    mqd_t queue = mq_open(fresh(), O_CREAT | O_EXCL | O_RDWR | flags, 0600, &attributes);
    CHECK(queue >= 0);
    return queue;
}

static void gone(mqd_t queue) { CHECK(mq_unlink(name) == 0 && mq_close(queue) == 0); }

static void opening(void) {
    struct mq_attr attributes = {.mq_maxmsg = 0, .mq_msgsize = 8}, now;
    CHECK_ERROR(mq_open(fresh(), O_RDWR), ENOENT);
    CHECK_ERROR(mq_open("/", O_CREAT | O_RDWR, 0600, NULL), ENOENT);
    CHECK_ERROR(mq_open("/a/b", O_CREAT | O_RDWR, 0600, NULL), EACCES);
    CHECK_ERROR(mq_open(name, O_CREAT | O_RDWR, 0600, &attributes), EINVAL);
    attributes.mq_maxmsg = 70000;
    CHECK_ERROR(mq_open(name, O_CREAT | O_RDWR, 0600, &attributes), EINVAL);
    mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0640, NULL);
    CHECK(queue >= 0 && fcntl(queue, F_GETFD) == FD_CLOEXEC && mq_getattr(queue, &now) == 0);
    CHECK(now.mq_maxmsg == 10 && now.mq_msgsize == 8192 && now.mq_curmsgs == 0 && now.mq_flags == 0);
    CHECK_ERROR(mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, NULL), EEXIST);
    CHECK_ERROR(mq_open(name, O_RDWR | O_WRONLY), EINVAL);
    struct stat status;
    CHECK(fstat(queue, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 0777) == 0640);
    CHECK(status.st_size == 80 && status.st_uid == geteuid());
    mqd_t other = mq_open(name, O_RDONLY | O_NONBLOCK);
    CHECK(other >= 0 && other != queue && mq_getattr(other, &now) == 0 && now.mq_flags == O_NONBLOCK);
    char text[8192];
    CHECK_ERROR(mq_send(other, "x", 1, 0), EBADF);
    CHECK_ERROR(mq_receive(other, text, sizeof text, NULL), EAGAIN);
    CHECK(mq_send(queue, "x", 1, 0) == 0 && mq_receive(other, text, sizeof text, NULL) == 1);
    // What has lost its name is still a queue.
    CHECK(mq_unlink(name) == 0 && mq_send(queue, "y", 1, 0) == 0 && mq_receive(other, text, sizeof text, NULL) == 1);
    CHECK_ERROR(mq_unlink(name), ENOENT);
    CHECK(mq_close(queue) == 0 && mq_close(other) == 0);
    CHECK_ERROR(mq_send(queue, "x", 1, 0), EBADF);
    CHECK_ERROR(mq_getattr(0, &now), EBADF);
}

static void order(void) {
    mqd_t queue = made(O_NONBLOCK, 5, 8);
    const char *texts[] = {"a", "bb", "ccc", "dddd", ""};
    unsigned priorities[] = {1, 9, 1, 32767, 9}, priority;
    for (int index = 0; index < 5; index++) CHECK(mq_send(queue, texts[index], strlen(texts[index]), priorities[index]) == 0);
    CHECK_ERROR(mq_send(queue, "x", 1, 0), EAGAIN);
    CHECK_ERROR(mq_send(queue, "x", 1, 32768), EINVAL);
    CHECK_ERROR(mq_send(queue, "123456789", 9, 0), EMSGSIZE);
    CHECK_ERROR(mq_send(queue, (void *)8, 1, 0), EFAULT);
    char text[8];
    CHECK_ERROR(mq_receive(queue, text, 7, NULL), EMSGSIZE);
    int sorted[] = {3, 1, 4, 0, 2};
    for (int index = 0; index < 5; index++) {
        ssize_t length = mq_receive(queue, text, 8, &priority);
        CHECK(length == (ssize_t)strlen(texts[sorted[index]]) && priority == priorities[sorted[index]]);
        CHECK(memcmp(text, texts[sorted[index]], length) == 0);
    }
    CHECK_ERROR(mq_receive(queue, text, 8, NULL), EAGAIN);
    struct mq_attr new = {.mq_flags = O_APPEND}, old;
    CHECK_ERROR(mq_setattr(queue, &new, NULL), EINVAL);
    new.mq_flags = 0, new.mq_maxmsg = 99;
    CHECK(mq_setattr(queue, &new, &old) == 0 && old.mq_flags == O_NONBLOCK && old.mq_maxmsg == 5);
    CHECK(mq_getattr(queue, &old) == 0 && old.mq_flags == 0 && old.mq_maxmsg == 5);
    gone(queue);
}

static void polled(void) {
    mqd_t queue = made(0, 1, 8);
    char text[128];
    struct pollfd watched = {.fd = queue, .events = POLLIN | POLLOUT};
    int set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    CHECK(poll(&watched, 1, 0) == 1 && watched.revents == POLLOUT);
    CHECK(epoll_ctl(set, EPOLL_CTL_ADD, queue, &event) == 0 && epoll_wait(set, &event, 1, 0) == 0);
    CHECK(mq_send(queue, "four", 4, 0) == 0 && poll(&watched, 1, 0) == 1 && watched.revents == POLLIN);
    CHECK(epoll_wait(set, &event, 1, 0) == 1 && epoll_wait(set, &event, 1, 0) == 0);
    ssize_t length = pread(queue, text, sizeof text, 0);
    CHECK(length == 60 && memcmp(text, "QSIZE:4          NOTIFY:0     SIGNO:0     NOTIFY_PID:0     \n", 60) == 0);
    CHECK(mq_receive(queue, text, sizeof text, NULL) == 4 && close(set) == 0);
    gone(queue);
}

struct wish {
    mqd_t queue;
    ssize_t result;
    int error, sends;
    char text[8];
    pthread_t thread;
    _Atomic int id;
};

static void *wishes(void *argument) {
    struct wish *wish = argument;
    wish->id = (int)thread_id();
    wish->result = wish->sends ? mq_send(wish->queue, "sent", 4, 3) : mq_receive(wish->queue, wish->text, 8, NULL);
    wish->error = errno;
    return NULL;
}

// Nothing tells who waits for a queue: it is given time to.
static void start(struct wish *wish) {
    wish->thread = start_thread(wishes, wish);
    AWAIT(wish->id);
    for (int round = 0; round < 20; round++) pause_a_little();
}

static void nothing(int signal, siginfo_t *information, void *context) { (void)signal, (void)information, (void)context; }

static void waiting(void) {
    mqd_t queue = made(0, 1, 8);
    struct wish receiver = {.queue = queue}, sender = {.queue = queue, .sends = 1}, interrupted = {.queue = queue};
    char text[8];
    start(&receiver);
    CHECK(mq_send(queue, "one", 3, 0) == 0);
    join_thread(receiver.thread);
    CHECK(receiver.result == 3 && memcmp(receiver.text, "one", 3) == 0 && mq_send(queue, "two", 3, 0) == 0);
    start(&sender);
    CHECK(mq_receive(queue, text, 8, NULL) == 3 && memcmp(text, "two", 3) == 0);
    join_thread(sender.thread);
    CHECK(sender.result == 0);
    struct timespec limit = after(CLOCK_REALTIME, 2), wrong = {0, -1};
    CHECK_ERROR(mq_timedsend(queue, "x", 1, 0, &limit), ETIMEDOUT);
    CHECK_ERROR(mq_timedsend(queue, "x", 1, 0, &wrong), EINVAL);
    CHECK(mq_timedreceive(queue, text, 8, NULL, &limit) == 4 && memcmp(text, "sent", 4) == 0);
    CHECK_ERROR(mq_timedreceive(queue, text, 8, NULL, &limit), ETIMEDOUT);
    handle(SIGUSR1, nothing, 0);
    start(&interrupted);
    CHECK(pthread_kill(interrupted.thread, SIGUSR1) == 0);
    join_thread(interrupted.thread);
    CHECK(interrupted.result == -1 && interrupted.error == EINTR);
    gone(queue);
}

static volatile sig_atomic_t came, code, word;

static void noted(int signal, siginfo_t *information, void *context) {
    (void)context;
    came++, code = information->si_code, word = information->si_value.sival_int;
    if (signal != SIGUSR2 || information->si_pid != getpid()) came = -99;
}

static void told(void) {
    mqd_t queue = made(0, 4, 8), other = mq_open(name, O_RDONLY);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2, .sigev_value.sival_int = 55};
    char text[8], line[128];
    handle(SIGUSR2, noted, 0);
    CHECK(mq_notify(queue, &event) == 0 && mq_send(queue, "x", 1, 0) == 0);
    CHECK(came == 1 && code == SI_MESGQ && word == 55);
    // Once, and only of a message in the empty queue.
    CHECK(mq_notify(queue, &event) == 0 && mq_send(queue, "y", 1, 0) == 0 && came == 1);
    CHECK_ERROR(mq_notify(other, &event), EBUSY);
    snprintf(line, sizeof line, "QSIZE:2          NOTIFY:0     SIGNO:%-5d NOTIFY_PID:%-6d\n", SIGUSR2, getpid());
    memset(text, 0, sizeof text);
    char found[128] = "";
    CHECK(pread(queue, found, sizeof found, 0) == (ssize_t)strlen(line) && strcmp(found, line) == 0);
    CHECK(mq_receive(queue, text, 8, NULL) == 1 && mq_receive(queue, text, 8, NULL) == 1);
    CHECK(mq_send(queue, "z", 1, 0) == 0 && came == 2 && mq_receive(queue, text, 8, NULL) == 1);
    // Who takes it back or closes the queue is not told.
    CHECK(mq_notify(queue, &event) == 0 && mq_notify(queue, NULL) == 0 && mq_notify(queue, NULL) == 0);
    CHECK(mq_send(queue, "z", 1, 0) == 0 && came == 2 && mq_receive(queue, text, 8, NULL) == 1);
    CHECK(mq_notify(other, &event) == 0 && mq_close(other) == 0);
    CHECK(mq_send(queue, "z", 1, 0) == 0 && came == 2);
    event.sigev_notify = SIGEV_NONE;
    CHECK(mq_notify(queue, &event) == 0);
    CHECK_ERROR(mq_notify(queue, &event), EBUSY);
    event.sigev_notify = 77;
    CHECK_ERROR(mq_notify(queue, &event), EINVAL);
    CHECK_ERROR(mq_notify(0, NULL), EBADF);
    gone(queue);
}

static void limits(void) {
    struct rlimit limit, small;
    CHECK(getrlimit(RLIMIT_MSGQUEUE, &limit) == 0);
    small = limit, small.rlim_cur = 2000;
    CHECK(setrlimit(RLIMIT_MSGQUEUE, &small) == 0);
    struct mq_attr attributes = {.mq_maxmsg = 10, .mq_msgsize = 100};
    mqd_t queue = mq_open(fresh(), O_CREAT | O_RDWR, 0600, &attributes);
    // 10 messages of 100 bytes count for 1960 bytes.
    CHECK(queue >= 0);
    CHECK_ERROR(mq_open("/system-calls-more", O_CREAT | O_RDWR, 0600, &attributes), EMFILE);
    gone(queue);
    CHECK((queue = mq_open(fresh(), O_CREAT | O_RDWR, 0600, &attributes)) >= 0);
    gone(queue);
    CHECK(setrlimit(RLIMIT_MSGQUEUE, &limit) == 0);
    const char *names[] = {"msg_default", "msg_max", "msgsize_default", "msgsize_max", "queues_max"};
    for (int index = 0; index < 5; index++) {
        char path[64], text[16] = "";
        snprintf(path, sizeof path, "/proc/sys/fs/mqueue/%s", names[index]);
        int file = open(path, O_RDONLY);
        CHECK(file >= 0 && read(file, text, sizeof text) > 1 && close(file) == 0);
        CHECK(atoi(text) == (index < 2 ? 10 : index < 4 ? 8192 : 256));
    }
}

const struct test queue_tests[] = {{"queues_opening", opening}, {"queues_order", order}, {"queues_polled", polled},
    {"queues_waiting", waiting}, {"queues_told", told}, {"queues_limits", limits}, {NULL, NULL}};
