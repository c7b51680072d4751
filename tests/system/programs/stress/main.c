// main.c: threads created and ended at random, futexes, timers, mappings and descriptors, for as long as is wished.
//
// stress [SECONDS [SEED]], 5 seconds of seed 1 if not told. What a breeder does in a round depends only on the seed,
// its number and the round. Everything is joined, closed, unmapped and freed at the end, and the program begins anew,
// by execve: after a few rounds, after all of them. What the system uses must be the same at both beginnings. The last
// line is `stress: all joined and freed`.
#include "stress.h"

atomic_long threads_begun, threads_ended, signals_handled;
static uint64_t seed = 1;
static struct timespec deadline;
static int rounds_wanted;
static atomic_long rounds_done;

static action *const actions[] = {
    breed_threads, breed_detached, cancel_one,      map_memory, remap_memory,    use_heap,
    wait_on_futex, breed_threads,  requeue_waiters, use_timers, use_descriptors, move_about,
};

// splitmix64
uint64_t draw(struct chance *chance, uint64_t below) {
    uint64_t value = chance->state += 0x9e3779b97f4a7c15;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return (value ^ value >> 31) % below;
}

void count_signal(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    signals_handled++;
}

static int is_over(int round) {
    return rounds_wanted ? round >= rounds_wanted : not_before(after(CLOCK_MONOTONIC, 0), deadline);
}

static void *breed(void *argument) {
    uint64_t index = (uintptr_t)argument;
    for (int round = 0; !is_over(round); round++) {
        struct chance chance = {seed * 1000003 + index * 7919 + (uint64_t)round * 104729};
        actions[draw(&chance, sizeof actions / sizeof *actions)](&chance);
        rounds_done++;
    }
    return NULL;
}

static void run_breeders(void) {
    pthread_t breeders[BREEDERS];
    for (uintptr_t index = 0; index < BREEDERS; index++) breeders[index] = start_thread(breed, (void *)index);
    for (int index = 0; index < BREEDERS; index++) REQUIRE(join_thread(breeders[index]) == NULL);
    // Detached threads say that they end before they are gone: give the last of them the time.
    AWAIT(threads_begun == threads_ended);
    for (int round = 0; round < 50; round++) pause_a_little();
}

static void *stand_still(void *barrier) {
    pthread_barrier_wait(barrier);
    return NULL;
}

/* So many threads at once that what the system keeps of ended ones for the next is as much as it ever keeps. */
static void fill_pools(void) {
    enum { THREADS = 64 };
    pthread_t threads[THREADS];
    pthread_barrier_t barrier;
    REQUIRE(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
    for (int index = 0; index < THREADS; index++) threads[index] = start_thread(stand_still, &barrier);
    for (int index = 0; index < THREADS; index++) REQUIRE(join_thread(threads[index]) == NULL);
    pthread_barrier_destroy(&barrier);
}

static long figure(const char *text, const char *name) {
    const char *line = strstr(text, name);
    return line ? strtol(line + strlen(name), NULL, 10) : -1;
}

static void read_text(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, size - 1, file) : 0;
    text[length] = 0;
    if (file) fclose(file);
}

/* Page frames in use but for those that the kernel's heap holds, and what is in use of that. The program has only just
   begun, so it has the same itself each time. */
static void show_memory(const char *when) {
    char text[4096];
    read_text("/proc/meminfo", text, sizeof text);
    printf("stress: %ld kB in frames, %ld kB in the heap at the %s\n",
           figure(text, "MemTotal:") - figure(text, "MemFree:") - figure(text, "Slab:"), figure(text, "SUnreclaim:"),
           when);
}

/* Goes on as this program from its beginning. */
static void go_on(char **words, const char *stage) {
    char *const next[] = {words[0], words[1], words[2], (char *)stage, NULL};
    fflush(stdout);
    execv("/proc/self/exe", next);
    REQUIRE(!"the program could be begun again");
}

int main(int argc, char **argv) {
    char *words[] = {argv[0], argc > 1 ? argv[1] : "5", argc > 2 ? argv[2] : "1"};
    const char *stage = argc > 3 ? argv[3] : "first";
    int seconds = atoi(words[1]);
    seed = strtoull(words[2], NULL, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(stage, "end") == 0) {
        show_memory("end");
        printf("stress: all joined and freed\n");
        return 0;
    }
    handle(TIMER_SIGNAL, count_signal, SA_RESTART);
    if (strcmp(stage, "first") == 0) {
        // What the system keeps for good (its pools) is made before it is asked what it has.
        rounds_wanted = 50;
        run_breeders();
        fill_pools();
        go_on(words, "run");
    }
    show_memory("begin");
    printf("stress: seed %llu, %d seconds\n", (unsigned long long)seed, seconds);
    printf("stress: begin\n");
    deadline = after(CLOCK_MONOTONIC, seconds * 1000);
    run_breeders();
    printf("stress: end\n");
    printf("stress: %ld rounds, %ld threads, %ld signals\n", rounds_done, threads_begun, signals_handled);
    go_on(words, "end");
}
