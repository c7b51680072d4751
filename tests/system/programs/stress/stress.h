// stress.h: what the stress program's parts share.
#pragma once
#include "../common/calls.h"

enum { BREEDERS = 8, TIMER_SIGNAL = 40 };

// Numbers by chance from a seed: the same in each run.
struct chance {
    uint64_t state;
};
uint64_t draw(struct chance *chance, uint64_t below);

// A thing to do once; it undoes all it did, and ends the program if something is not as it must be.
typedef void action(struct chance *chance);
action breed_threads, breed_detached, cancel_one, map_memory, remap_memory, use_heap, wait_on_futex, requeue_waiters,
    use_timers, use_descriptors, move_about;

// What was done so far, for the last words.
extern atomic_long threads_begun, threads_ended, signals_handled;
void count_signal(int signal, siginfo_t *information, void *state);
