// Processors that use one address space: a counter behind a mutex, pages that are taken away and change their rights
// while others use their neighbours, and threads that come and go. The word is how many processors there should be.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define REQUIRE(condition)                                                                  \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            printf("line %d: %s does not hold (errno %d)\n", __LINE__, #condition, errno);  \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

enum { THREADS = 4, ROUNDS = 20000, PAGES = 64, PAGE = 4096, CHANGES = 10, CREATED = 400, COPIES = 2000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counter;
static unsigned used;
static char *arena;
static atomic_int stop;
static atomic_long touched;

static void *count_up(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&mutex);
        counter++;
        used |= 1u << sched_getcpu();
        pthread_mutex_unlock(&mutex);
        if (round % 64 == 0) sched_yield();
    }
    return unused;
}

// The even pages are used all the time.
static void *touch(void *number) {
    char value = (char)(long)number;
    char *mine = arena + value;
    while (!stop) {
        for (int page = 0; page < PAGES; page += 2) {
            mine[page * PAGE] = value;
            REQUIRE(mine[page * PAGE] == value);
        }
        touched++;
    }
    return NULL;
}

// The odd ones are taken away, come back empty, and change their rights.
static void change(void) {
    for (int page = 1; page < PAGES; page += 16) {
        char *at = arena + page * PAGE;
        REQUIRE(munmap(at, PAGE) == 0);
        REQUIRE(mmap(at, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at);
        REQUIRE(*at == 0);
        *at = 77;
        REQUIRE(mprotect(at, PAGE, PROT_READ) == 0 && *at == 77);
        REQUIRE(mprotect(at, PAGE, PROT_READ | PROT_WRITE) == 0);
    }
    char *many = mmap(NULL, 40 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int page = 0; page < 40; page++) {
        REQUIRE(many[page * PAGE] == 0);
        many[page * PAGE] = 1;
    }
    REQUIRE(munmap(many, 40 * PAGE) == 0);
}

// A page of the program's own file is shown in place until somebody writes; then all must see the copy.
static long shown[2 * PAGE / sizeof(long)] __attribute__((aligned(4096))) = {1, 2, 3};
static atomic_int turn;

static void *watch(void *unused) {
    volatile long *word = &shown[PAGE / sizeof(long)];
    REQUIRE(*word == 0);
    turn = 1;
    while (turn != 2) sched_yield();
    REQUIRE(*word == 5);
    return unused;
}

static void write_first(void) {
    pthread_t other;
    REQUIRE(pthread_create(&other, NULL, watch, NULL) == 0);
    while (turn != 1) sched_yield();
    *(volatile long *)&shown[PAGE / sizeof(long)] = 5;
    turn = 2;
    REQUIRE(pthread_join(other, NULL) == 0);
}

// The kernel copies to pages that are not there yet, on all processors at once.
static void *copy(void *ends) {
    int *pipe_ends = ends;
    char *memory = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int round = 0; round < COPIES / 16; round++) {
        for (int page = 0; page < 16; page++) {
            char *at = memory + page * PAGE;
            REQUIRE(write(pipe_ends[1], "some", 4) == 4 && read(pipe_ends[0], at, 4) == 4 && memcmp(at, "some", 4) == 0);
        }
        REQUIRE(madvise(memory, 16 * PAGE, MADV_DONTNEED) == 0 && *memory == 0);
    }
    return NULL;
}

static void *little(void *number) {
    char *memory = malloc(1000);
    memset(memory, (int)(long)number, 1000);
    free(memory);
    return number;
}

static void together(void *(*work)(void *), void *argument) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, work, argument) == 0);
    for (int i = 0; i < THREADS; i++) REQUIRE(pthread_join(threads[i], NULL) == 0);
}

int main(int count, char **words) {
    int processors = count > 1 ? atoi(words[1]) : 1;
    cpu_set_t set;
    REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == processors);
    REQUIRE(sysconf(_SC_NPROCESSORS_ONLN) == processors);
    // All may be done by the first processor before a busy host lets another one begin.
    long turns = 0;
    do together(count_up, NULL), turns++;
    while (processors > 1 && __builtin_popcount(used) == 1);
    REQUIRE(counter == turns * THREADS * ROUNDS);
    write_first();

    arena = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_t users[2];
    for (long i = 0; i < 2; i++) REQUIRE(pthread_create(&users[i], NULL, touch, (void *)(i + 1)) == 0);
    while (touched < 2) sched_yield();
    for (int i = 0; i < CHANGES; i++) change();
    stop = 1;
    for (int i = 0; i < 2; i++) REQUIRE(pthread_join(users[i], NULL) == 0);

    int pipe_ends[2];
    REQUIRE(pipe(pipe_ends) == 0);
    together(copy, pipe_ends);

    long sum = 0;
    for (long i = 0; i < CREATED; i++) {
        pthread_t thread;
        void *answer;
        REQUIRE(pthread_create(&thread, NULL, little, (void *)i) == 0 && pthread_join(thread, &answer) == 0);
        sum += (long)answer;
    }
    REQUIRE(sum == (long)CREATED * (CREATED - 1) / 2);

    // From one processor to the next by wish.
    for (int processor = processors - 1; processor >= 0; processor--) {
        CPU_ZERO(&set);
        CPU_SET(processor, &set);
        REQUIRE(sched_setaffinity(0, sizeof set, &set) == 0 && sched_getcpu() == processor);
    }
    printf("%d processors share memory\n", processors);
    return 0;
}
