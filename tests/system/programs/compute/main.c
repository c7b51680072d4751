// main.c: computing without a system call in it: what whittle costs such a program is the difference to Linux.
//
// compute [--work PERCENT]. Prints a line `compute: NAME SECONDS s sum SUM` for each, by the monotonic clock, and last
// `compute: NAME SUM ...` without times, the same on any machine for the same work.
#include "../common/checks.h"

#include <omp.h>

static int work = 100;

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 16;
}

static void *memory(size_t size) {
    void *block = malloc(size);
    if (!block) exit(12);
    return block;
}

static uint64_t matrix(void) {
    enum { SIDE = 384, BLOCK = 64 };
    // Whole numbers small enough to be exact, so that the order of the additions does not matter.
    double *a = memory(SIDE * SIDE * sizeof *a), *b = memory(SIDE * SIDE * sizeof *b), *c = memory(SIDE * SIDE * sizeof *c);
    uint64_t state = 1, sum = 0;
    for (int index = 0; index < SIDE * SIDE; index++) {
        a[index] = (double)(next(&state) % 64);
        b[index] = (double)(next(&state) % 64);
    }
    for (int round = 0; round < (20 * work + 99) / 100; round++) {
        memset(c, 0, SIDE * SIDE * sizeof *c);
        for (int from = 0; from < SIDE; from += BLOCK)
            for (int row = 0; row < SIDE; row++)
                for (int inner = from; inner < from + BLOCK; inner++)
                    for (int column = 0; column < SIDE; column++)
                        c[row * SIDE + column] += a[row * SIDE + inner] * b[inner * SIDE + column];
        a[round] = (double)((uint64_t)c[round * SIDE] % 64);
    }
    for (int index = 0; index < SIDE * SIDE; index++) sum = sum * 31 + (uint64_t)c[index];
    free(a), free(b), free(c);
    return sum;
}

// Quicksort by Hoare's partition, the smaller side first.
static void sort_numbers(uint64_t *numbers, long count) {
    while (count > 16) {
        uint64_t middle = numbers[count / 2];
        long left = -1, right = count;
        for (;;) {
            while (numbers[++left] < middle) continue;
            while (numbers[--right] > middle) continue;
            if (left >= right) break;
            uint64_t other = numbers[left];
            numbers[left] = numbers[right];
            numbers[right] = other;
        }
        right++;
        if (right < count - right) sort_numbers(numbers, right), numbers += right, count -= right;
        else sort_numbers(numbers + right, count - right), count = right;
    }
    for (long index = 1; index < count; index++) {
        uint64_t number = numbers[index];
        long place = index;
        for (; place > 0 && numbers[place - 1] > number; place--) numbers[place] = numbers[place - 1];
        numbers[place] = number;
    }
}

static uint64_t sort(void) {
    long count = 80000L * work;
    uint64_t *numbers = memory(count * sizeof *numbers), state = 2, sum = 0;
    for (long index = 0; index < count; index++) numbers[index] = next(&state);
    sort_numbers(numbers, count);
    for (long index = 0; index < count; index++) {
        if (index && numbers[index - 1] > numbers[index]) exit(1);
        sum = sum * 31 + numbers[index];
    }
    free(numbers);
    return sum;
}

// FNV-1a over many small keys, counted in a table larger than the nearer caches.
static uint64_t hash(void) {
    enum { SLOTS = 1 << 20 };
    uint32_t *table = memory(SLOTS * sizeof *table);
    memset(table, 0, SLOTS * sizeof *table);
    uint64_t state = 3, sum = 0;
    for (long key = 0; key < 120000L * work; key++) {
        char text[24];
        uint64_t value = 0xcbf29ce484222325;
        uint64_t number = next(&state);
        memset(text, 0, sizeof text);
        memcpy(text + 5, &number, sizeof number);
        for (size_t index = 0; index < sizeof text; index++) value = (value ^ (uint8_t)text[index]) * 0x100000001b3;
        table[value % SLOTS]++;
    }
    for (long slot = 0; slot < SLOTS; slot++) sum = sum * 31 + table[slot];
    free(table);
    return sum;
}

static uint64_t openmp(void) {
    uint64_t sum = 0;
    long count = 8000000L * work;
#pragma omp parallel for reduction(+ : sum)
    for (long index = 0; index < count; index++) {
        uint64_t value = (uint64_t)index * 0x9e3779b97f4a7c15;
        sum += value ^ value >> 29;
    }
    return sum;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        uint64_t (*run)(void);
    } programs[] = {{"matrix", matrix}, {"sort", sort}, {"hash", hash}, {"openmp", openmp}};
    enum { PROGRAMS = sizeof programs / sizeof *programs };
    unsigned long long sums[PROGRAMS];
    if (argc > 2 && strcmp(argv[1], "--work") == 0) work = atoi(argv[2]);
    if (work < 1) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int index = 0; index < PROGRAMS; index++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        sums[index] = programs[index].run();
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
        printf("compute: %s %.6f s sum %llu\n", programs[index].name, seconds, sums[index]);
    }
    printf("compute:");
    for (int index = 0; index < PROGRAMS; index++) printf(" %s %llu", programs[index].name, sums[index]);
    printf("\n");
    return 0;
}
