// main.c: POSIX threads and what lies below them, from mutexes to raw futexes and clone: the table of contents.
//
// threads [--work PERCENT] [TEST...]
#include "tests.h"

static const struct test *const families[] = {
    mutex_tests, robust_tests, lock_tests,  condition_tests, local_tests, cancel_tests,
    life_tests,  place_tests,  futex_tests, inherit_tests,   clone_tests, NULL,
};

void run_many(int count, void *(*body)(void *)) {
    pthread_t threads[MANY];
    for (int index = 0; index < count; index++) threads[index] = start_thread(body, (void *)(intptr_t)index);
    for (int index = 0; index < count; index++) {
        const char *trouble = join_thread(threads[index]);
        check(!trouble, __FILE__, __LINE__, trouble);
    }
}

int main(int argc, char **argv) { return run_tests("threads-c", families, argc, argv); }
