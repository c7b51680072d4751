// A thread that waits for a slow file, and another that goes on meanwhile.
//
// slow read|fault FILE|none CLOCK: counts rounds of work alone, and then while another thread reads pages of FILE far
// apart, or touches them in a mapping. "none", for Linux itself: the other thread sleeps instead.
// slow write FILE: a writer is done with another part of the file while a reader waits for its own.
// Says what was counted; the last line is "1 checks passed" if at least 0.9 of the work was done meanwhile.

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 4, APART = 1 << 20 };

static const char *file, *how;
static atomic_int reading, done;
static clockid_t clock_of_work;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(clock_of_work, &time);
    return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void work(void) {
    static volatile unsigned sum;
    for (unsigned step = 0; step < 100000; step++) {
        sum += step * step;
    }
}

static void wait_for_pages(void) {
    if (strcmp(file, "none") == 0) {
        struct timespec second = {1, 0};
        nanosleep(&second, NULL);
        return;
    }
    int descriptor = open(file, O_RDWR);
    if (descriptor < 0) {
        fail("open");
    }
    char *mapped = MAP_FAILED;
    if (strcmp(how, "fault") == 0) {
        mapped = mmap(NULL, PAGES * APART, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (mapped == MAP_FAILED) {
            fail("mmap");
        }
    }
    reading = 1;
    for (int page = 0; page < PAGES; page++) {
        char first = 0;
        if (mapped != MAP_FAILED) {
            first = mapped[page * APART];
        } else if (pread(descriptor, &first, 1, page * APART) != 1) {
            fail("pread");
        }
        if (first != 'a' + page) {
            fprintf(stderr, "page %d begins with %d\n", page, first);
            exit(1);
        }
    }
    close(descriptor);
}

static void *waiter(void *unused) {
    wait_for_pages();
    done = 1;
    return unused;
}

static void start(pthread_t *thread) {
    if (pthread_create(thread, NULL, waiter, NULL) != 0) {
        fail("pthread_create");
    }
}

// Time for a round, in picoseconds, where `enough` says when to stop.
static uint64_t rounds_until(uint64_t *rounds, uint64_t most) {
    uint64_t begin = now();
    for (*rounds = 0; *rounds < most && !done; ++*rounds) {
        work();
    }
    return (now() - begin) * 1000 / (*rounds ? *rounds : 1);
}

static int share_of_work(void) {
    enum { LEAST = 20, COUNTED = 100, TIMED = 3000 };
    uint64_t alone, meanwhile;
    uint64_t before = rounds_until(&alone, clock_of_work == CLOCK_MONOTONIC ? COUNTED : TIMED);
    pthread_t thread;
    start(&thread);
    uint64_t beside = rounds_until(&meanwhile, UINT64_MAX);
    pthread_join(thread, NULL);
    double share = (double)before / beside;
    printf("%llu rounds while the other thread waited, each at %.3f of the speed\n", (unsigned long long)meanwhile, share);
    // By instructions, which repeat; or by a busy host's processor, of whose caches others have a part. Who waits by
    // looking again and again would have half of it.
    return meanwhile >= LEAST && share >= (clock_of_work == CLOCK_MONOTONIC ? 0.9 : 0.6);
}

// The reader has at least two pages to wait for when it says that it reads; a write to the end of the file is none of
// them.
static int write_beside(void) {
    pthread_t thread;
    start(&thread);
    while (!reading) {
        sched_yield();
    }
    int descriptor = open(file, O_RDWR);
    if (descriptor < 0 || pwrite(descriptor, "written", 7, PAGES * APART - 7) != 7) {
        fail("pwrite");
    }
    int first = !done;
    pthread_join(thread, NULL);
    char found[7];
    if (pread(descriptor, found, 7, PAGES * APART - 7) != 7 || memcmp(found, "written", 7) != 0) {
        fail("what was written");
    }
    printf("the writer was done %s\n", first ? "first" : "last");
    return first;
}

int main(int count, char **words) {
    if (count < 3) {
        return 2;
    }
    how = words[1];
    file = words[2];
    clock_of_work = count > 3 && strcmp(words[3], "processor") == 0 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    int passed = strcmp(how, "write") == 0 ? write_beside() : share_of_work();
    printf("%d checks passed\n", passed);
    return !passed;
}
