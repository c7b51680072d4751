// checks.c: counting, choosing tests, and the few helpers that all the programs use.
#include "checks.h"

static const char *program_name = "?", *test_name = "?";
static atomic_int passed;
static int work = 100;

void check(int holds, const char *file, int line, const char *condition) {
    if (holds) {
        atomic_fetch_add(&passed, 1);
        return;
    }
    // Straight to the descriptor: the thread may be in a handler, and stdout's lock with one that never gives it back.
    char sentence[512];
    const char *slash = strrchr(file, '/');
    int length = snprintf(sentence, sizeof sentence, "%s: FAILED %s: %s:%d: %s (errno %d)\n", program_name, test_name,
                          slash ? slash + 1 : file, line, condition, errno);
    if (length >= (int)sizeof sentence) length = sizeof sentence - 1;
    if (write(1, sentence, length) < 0) _exit(2);
    _exit(1);
}

int scaled(int rounds) {
    long long count = (long long)rounds * work / 100;
    return count > 0 ? (int)count : 1;
}

static int is_wanted(const char *name, int count, char **names) {
    for (int index = 0; index < count; index++)
        if (strcmp(names[index], name) == 0) return 1;
    return count == 0;
}

int run_tests(const char *program, const struct test *const families[], int argc, char **argv) {
    program_name = program;
    argc--, argv++;
    if (argc > 1 && strcmp(argv[0], "--work") == 0) work = atoi(argv[1]), argc -= 2, argv += 2;
    // A line is written as soon as it is known: what came before a crash must be seen.
    setvbuf(stdout, NULL, _IOLBF, 0);
    int tests = 0;
    for (; *families; families++) {
        for (const struct test *test = *families; test->name; test++) {
            if (!is_wanted(test->name, argc, argv)) continue;
            test_name = test->name;
            test->run();
            printf("ok %s\n", test->name);
            tests++;
        }
    }
    if (tests == 0) return printf("%s: no such test\n", program), 2;
    printf("%s: %d checks passed\n", program, atomic_load(&passed));
    return 0;
}

void pause_a_little(void) {
    struct timespec time = {0, 200000};
    nanosleep(&time, NULL);
}

struct timespec after(clockid_t clock, int milliseconds) {
    struct timespec time;
    clock_gettime(clock, &time);
    long long nanoseconds = time.tv_nsec + milliseconds * 1000000LL;
    long long seconds = nanoseconds / 1000000000, rest = nanoseconds % 1000000000;
    if (rest < 0) seconds--, rest += 1000000000;
    return (struct timespec){time.tv_sec + seconds, rest};
}

int not_before(struct timespec a, struct timespec b) {
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec >= b.tv_nsec;
}

pthread_t start_thread(void *(*body)(void *), void *argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, body, argument) == 0);
    return thread;
}

void *join_thread(pthread_t thread) {
    void *result = NULL;
    CHECK(pthread_join(thread, &result) == 0);
    return result;
}

void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    sigemptyset(&action.sa_mask);
    CHECK(sigaction(signal, &action, NULL) == 0);
}

void mask_signal(int how, int signal) {
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, signal);
    CHECK(pthread_sigmask(how, &set, NULL) == 0);
}
