// main.c: loops and tasks shared among threads by OpenMP, whose integer results are the same on any machine.
//
// openmp [--work PERCENT] [TEST...]; OMP_NUM_THREADS is not needed: each kernel names its number of threads.
#include "../common/checks.h"

#include <omp.h>

enum { THREADS = 8 };

static uint64_t mix(uint64_t value) {
    value = (value ^ value >> 31) * 0x9e3779b97f4a7c15;
    return value ^ value >> 29;
}

static void sums(void) {
    long count = scaled(2000000), sum = 0, least = 1L << 60, most = 0;
    uint64_t mixed = 0;
#pragma omp parallel for num_threads(THREADS) reduction(+ : sum) reduction(^ : mixed) reduction(min : least) \
    reduction(max : most)
    for (long index = 1; index <= count; index++) {
        sum += index;
        mixed ^= mix(index);
        if (index < least) least = index;
        if (index > most) most = index;
    }
    uint64_t expected = 0;
    for (long index = 1; index <= count; index++) expected ^= mix(index);
    CHECK(sum == count * (count + 1) / 2 && mixed == expected && least == 1 && most == count);
}

static void dot_product(void) {
    int count = scaled(400000);
    int *left = malloc(sizeof(int) * count), *right = malloc(sizeof(int) * count);
    CHECK(left && right);
#pragma omp parallel for num_threads(THREADS)
    for (int index = 0; index < count; index++) left[index] = index % 1000, right[index] = (index * 7) % 1000 - 500;
    long product = 0, expected = 0;
#pragma omp parallel for simd num_threads(THREADS) reduction(+ : product)
    for (int index = 0; index < count; index++) product += (long)left[index] * right[index];
    for (int index = 0; index < count; index++) expected += (long)left[index] * right[index];
    CHECK(product == expected);
    free(left), free(right);
}

enum { SIDE = 96 };
static int a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE], d[SIDE][SIDE];

static void matrix_product(void) {
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) a[row][column] = row * 3 - column, b[row][column] = row ^ column;
    memset(d, 0, sizeof d);
    for (int row = 0; row < SIDE; row++)
        for (int inner = 0; inner < SIDE; inner++)
            for (int column = 0; column < SIDE; column++) d[row][column] += a[row][inner] * b[inner][column];
    for (int round = 0; round < scaled(10); round++) {
        memset(c, 0, sizeof c);
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 3)
        for (int row = 0; row < SIDE; row++)
            for (int inner = 0; inner < SIDE; inner++)
                for (int column = 0; column < SIDE; column++) c[row][column] += a[row][inner] * b[inner][column];
        CHECK(memcmp(c, d, sizeof c) == 0);
    }
}

static void prefix_sums(void) {
    int count = scaled(200000);
    long *values = malloc(sizeof(long) * count), part[THREADS + 1] = {0};
    CHECK(values);
#pragma omp parallel num_threads(THREADS)
    {
        int self = omp_get_thread_num(), team = omp_get_num_threads();
        int from = (int)((long)count * self / team), to = (int)((long)count * (self + 1) / team);
        long running = 0;
        for (int index = from; index < to; index++) values[index] = running += mix(index) % 100;
        part[self + 1] = running;
#pragma omp barrier
#pragma omp single
        for (int index = 0; index < team; index++) part[index + 1] += part[index];
        for (int index = from; index < to; index++) values[index] += part[self];
    }
    long running = 0;
    int wrong = 0;
    for (int index = 0; index < count; index++) wrong += values[index] != (running += mix(index) % 100);
    CHECK(wrong == 0);
    free(values);
}

static long fibonacci(int number) {
    long first, second;
    if (number < 2) return number;
#pragma omp task shared(first) if (number > 8)
    first = fibonacci(number - 1);
    second = fibonacci(number - 2);
#pragma omp taskwait
    return first + second;
}

static void tasks(void) {
    long result = 0;
    int order[4] = {0}, next = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    result = fibonacci(18);
    CHECK(result == 2584);
    // Tasks that depend on each other run in their order.
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    for (int index = 0; index < 4; index++) {
#pragma omp task depend(inout : next) firstprivate(index)
        order[next++] = index;
    }
    CHECK(next == 4 && order[0] == 0 && order[1] == 1 && order[2] == 2 && order[3] == 3);
    long total = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskloop reduction(+ : total) grainsize(100)
    for (int index = 0; index < 10000; index++) total += index;
    CHECK(total == 49995000);
}

static void exclusion(void) {
    long in_critical = 0, by_atomic = 0, captured = 0, by_lock = 0;
    int rounds = scaled(4000);
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(THREADS)
    for (int round = 0; round < rounds; round++) {
#pragma omp critical(counter)
        in_critical++;
#pragma omp atomic
        by_atomic += round;
        long seen;
#pragma omp atomic capture
        seen = captured++;
        (void)seen;
        omp_set_lock(&lock);
        by_lock++;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    long threads = THREADS;
    CHECK(in_critical == threads * rounds && by_atomic == threads * rounds * (rounds - 1) / 2);
    CHECK(captured == threads * rounds && by_lock == threads * rounds);
}

static long under_schedule(omp_sched_t kind, int chunk, int count) {
    long sum = 0;
    omp_set_schedule(kind, chunk);
#pragma omp parallel for num_threads(THREADS) schedule(runtime) reduction(+ : sum)
    for (int index = 0; index < count; index++) sum += mix(index) & 0xffff;
    return sum;
}

static void schedules(void) {
    int count = scaled(100000);
    long expected = 0;
    for (int index = 0; index < count; index++) expected += mix(index) & 0xffff;
    omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
    for (int kind = 0; kind < 4; kind++)
        for (int chunk = 1; chunk <= 1000; chunk *= 10) CHECK(under_schedule(kinds[kind], chunk, count) == expected);
}

static void ordered(void) {
    int next = 0, wrong = 0;
#pragma omp parallel for ordered num_threads(THREADS) schedule(dynamic)
    for (int index = 0; index < 500; index++) {
#pragma omp ordered
        wrong += next++ != index;
    }
    CHECK(wrong == 0 && next == 500);
}

static void sections_and_teams(void) {
    int done[3] = {0}, sizes_right = 1;
#pragma omp parallel sections num_threads(3)
    {
#pragma omp section
        done[0]++;
#pragma omp section
        done[1]++;
#pragma omp section
        done[2]++;
    }
    CHECK(done[0] == 1 && done[1] == 1 && done[2] == 1);
    omp_set_max_active_levels(2);
    omp_set_dynamic(0);
    int inner = 0;
    for (int threads = 1; threads <= 32; threads *= 2) {
        int size = 0;
#pragma omp parallel num_threads(threads) reduction(+ : size)
        size++;
        sizes_right &= size == threads;
    }
#pragma omp parallel num_threads(4) reduction(+ : inner)
#pragma omp parallel num_threads(4) reduction(+ : inner)
    inner++;
    CHECK(sizes_right && inner == 16);
}

static long own;
#pragma omp threadprivate(own)

static void private_copies(void) {
    long sum = 0;
    own = 5;
#pragma omp parallel num_threads(THREADS) copyin(own) reduction(+ : sum)
    {
        own += omp_get_thread_num();
#pragma omp barrier
        sum += own;
    }
    CHECK(sum == 5 * THREADS + THREADS * (THREADS - 1) / 2);
}

static const struct test tests[] = {
    {"sums", sums},           {"dot_product", dot_product}, {"matrix_product", matrix_product},
    {"prefix_sums", prefix_sums}, {"tasks", tasks},         {"exclusion", exclusion},
    {"schedules", schedules}, {"ordered", ordered},         {"sections_and_teams", sections_and_teams},
    {"private_copies", private_copies}, {NULL, NULL},
};

int main(int argc, char **argv) {
    const struct test *families[] = {tests, NULL};
    return run_tests("openmp", families, argc, argv);
}
