// events.c: futexes, timers and descriptors, each made and taken away again.
#include "stress.h"

#include <limits.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

static futex_word shared[4];

void wait_on_futex(struct chance *chance) {
    // Others wait and wake at the same words: any end of the wait but an unknown error is right.
    futex_word *word = &shared[draw(chance, 4)];
    struct timespec time = {0, (long)draw(chance, 300000)};
    for (uint64_t turn = 1 + draw(chance, 8); turn; turn--) {
        uint32_t seen = *word;
        if (draw(chance, 2)) {
            long result = futex(word, WAIT | PRIVATE, seen, &time, NULL, 0);
            REQUIRE(result == 0 || errno == ETIMEDOUT || errno == EAGAIN || errno == EINTR);
        } else {
            ++*word;
            REQUIRE(wake(word, (int)draw(chance, 4)) >= 0);
        }
    }
}

struct meeting {
    futex_word lobby, hall;
    atomic_int through;
};

static void *pass(void *argument) {
    struct meeting *meeting = argument;
    while (futex(&meeting->lobby, WAIT | PRIVATE, 0, NULL, NULL, 0)) REQUIRE(errno == EINTR || errno == EAGAIN);
    meeting->through++;
    threads_ended++;
    return NULL;
}

void requeue_waiters(struct chance *chance) {
    struct meeting meeting = {0};
    pthread_t threads[6];
    int count = 1 + (int)draw(chance, 6), moved = 0;
    for (int index = 0; index < count; index++) {
        threads_begun++;
        REQUIRE(pthread_create(&threads[index], NULL, pass, &meeting) == 0);
    }
    while (moved < count) {
        long more = futex_count(&meeting.lobby, CMP_REQUEUE | PRIVATE, 0, INT_MAX, &meeting.hall, 0);
        REQUIRE(more >= 0);
        moved += (int)more;
        if (!more) sched_yield();
    }
    REQUIRE(meeting.through == 0);
    // A waiter whose wait a signal broke off is in the lobby again: wake both until all are through.
    while (meeting.through < count) wake(&meeting.hall, INT_MAX), wake(&meeting.lobby, INT_MAX), sched_yield();
    for (int index = 0; index < count; index++) REQUIRE(pthread_join(threads[index], NULL) == 0);
}

void use_timers(struct chance *chance) {
    int ids[4];
    int count = 1 + (int)draw(chance, 4);
    for (int index = 0; index < count; index++) {
        // The kernel's own interface: the C libraries' need a function or a member that differs.
        struct {
            uint64_t value;
            int signal, notify, thread, padding[11];
        } event = {.signal = TIMER_SIGNAL, .notify = 4 /* SIGEV_THREAD_ID */, .thread = (int)thread_id()};
        struct itimerspec times = {.it_value = {0, 1 + (long)draw(chance, 1000000)}};
        if (draw(chance, 2)) times.it_interval.tv_nsec = 100000 + (long)draw(chance, 1000000);
        REQUIRE(syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &ids[index]) == 0);
        REQUIRE(syscall(SYS_timer_settime, ids[index], 0, &times, NULL) == 0);
    }
    struct timespec time = {0, (long)draw(chance, 1500000)};
    REQUIRE(nanosleep(&time, NULL) == 0 || errno == EINTR);
    for (int index = 0; index < count; index++) REQUIRE(syscall(SYS_timer_delete, ids[index]) == 0);
}

void use_descriptors(struct chance *chance) {
    int queue = epoll_create1(EPOLL_CLOEXEC), event = eventfd(0, EFD_NONBLOCK), ends[2];
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    REQUIRE(queue >= 0 && event >= 0 && timer >= 0 && pipe(ends) == 0);
    int watched[] = {event, timer, ends[0]};
    for (int index = 0; index < 3; index++) {
        struct epoll_event interest = {.events = EPOLLIN | (draw(chance, 2) ? EPOLLET : 0u), .data.fd = watched[index]};
        REQUIRE(epoll_ctl(queue, EPOLL_CTL_ADD, watched[index], &interest) == 0);
    }
    struct itimerspec times = {.it_value = {0, 1 + (long)draw(chance, 500000)}};
    struct epoll_event got[3];
    uint64_t one = 1;
    REQUIRE(timerfd_settime(timer, 0, &times, NULL) == 0);
    if (draw(chance, 2)) REQUIRE(write(event, &one, sizeof one) == 8);
    if (draw(chance, 2)) REQUIRE(write(ends[1], "x", 1) == 1);
    int count = epoll_wait(queue, got, 3, -1);
    REQUIRE(count > 0 || errno == EINTR);
    // Some are closed while they are still watched.
    if (draw(chance, 2)) REQUIRE(epoll_ctl(queue, EPOLL_CTL_DEL, timer, NULL) == 0);
    REQUIRE(close(event) == 0 && close(ends[0]) == 0 && close(ends[1]) == 0);
    REQUIRE(close(queue) == 0 && close(timer) == 0);
}
