// main.c: threads created and ended at random, futexes, timers, mappings and descriptors, for as long as is wished.
//
// stress [SECONDS [SEED]], 5 seconds of seed 1 if not told. What a breeder does in a round depends only on the seed, its
// number and the round. Everything is joined, closed, unmapped and freed at the end, and at the markers `stress: begin`
// and `stress: end` only the main thread is there: what the system uses must be the same at both. The last line is
// `stress: all joined and freed`.
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

static long figure(const char *text, const char *name) {
    const char *line = strstr(text, name);
    return line ? strtol(line + strlen(name), NULL, 10) : -1;
}

/* Free page frames, and the kernel's heap in use: what is the same before and after shows that nothing was lost. */
static void show_memory(const char *when) {
    char text[4096];
    FILE *file = fopen("/proc/meminfo", "r");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = 0;
    if (file) fclose(file);
    printf("stress: %ld kB free, %ld kB in the heap at the %s\n", figure(text, "MemFree:"),
           figure(text, "SUnreclaim:"), when);
}

int main(int argc, char **argv) {
    int seconds = argc > 1 ? atoi(argv[1]) : 5;
    if (argc > 2) seed = strtoull(argv[2], NULL, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    handle(TIMER_SIGNAL, count_signal, SA_RESTART);
    // What is kept for good (a library's caches, the system's pools) is made before the first marker.
    rounds_wanted = 50;
    run_breeders();
    rounds_wanted = 0;
    printf("stress: seed %llu, %d seconds\n", (unsigned long long)seed, seconds);
    show_memory("begin");
    printf("stress: begin\n");
    deadline = after(CLOCK_MONOTONIC, seconds * 1000);
    run_breeders();
    printf("stress: end\n");
    show_memory("end");
    printf("stress: %ld rounds, %ld threads, %ld signals\n", rounds_done, threads_begun, signals_handled);
    printf("stress: all joined and freed\n");
    return 0;
}
