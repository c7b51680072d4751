// heap.c: the C library's heap and what it stands on: the program break and anonymous memory, up to 512 MB.
#include "check.h"

static uint64_t state = 88172645463325252ull;

// Xorshift: the same sequence on each run.
static uint64_t next_number(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static const char *heap_many_sizes(void) {
    enum { COUNT = 2000, ROUNDS = 20000 };
    static unsigned char *blocks[COUNT];
    static size_t sizes[COUNT];
    for (int round = 0; round < ROUNDS; round++) {
        int slot = next_number() % COUNT;
        if (blocks[slot]) {
            unsigned char expected = slot;
            REQUIRE(blocks[slot][0] == expected && blocks[slot][sizes[slot] - 1] == expected);
            free(blocks[slot]);
        }
        sizes[slot] = 1 + next_number() % (round % 100 ? 2000 : 300000);
        blocks[slot] = malloc(sizes[slot]);
        REQUIRE(blocks[slot] && (uintptr_t)blocks[slot] % 16 == 0);
        memset(blocks[slot], slot, sizes[slot]);
    }
    for (int slot = 0; slot < COUNT; slot++) free(blocks[slot]), blocks[slot] = NULL;
    return NULL;
}

static const char *heap_512_megabytes(void) {
    // In blocks of 64 KB, which glibc takes from the program break and musl from small mappings; each page is touched.
    enum { BLOCK = 64 << 10, COUNT = (512 << 20) / BLOCK, PAGES = BLOCK / 4096 };
    uint32_t **blocks = calloc(COUNT, sizeof *blocks);
    REQUIRE(blocks);
    for (uint32_t index = 0; index < COUNT; index++) {
        blocks[index] = malloc(BLOCK);
        REQUIRE(blocks[index]);
        for (uint32_t page = 0; page < PAGES; page++) blocks[index][page * 1024] = index * PAGES + page;
    }
    for (uint32_t index = 0; index < COUNT; index++) {
        for (uint32_t page = 0; page < PAGES; page++) REQUIRE(blocks[index][page * 1024] == index * PAGES + page);
        free(blocks[index]);
    }
    free(blocks);
    return NULL;
}

static const char *heap_large_block(void) {
    // One mapping of 256 MB: zero at first, and gone again.
    size_t size = 256 << 20;
    char *block = calloc(1, size);
    REQUIRE(block);
    for (size_t offset = 0; offset < size; offset += 4096) {
        REQUIRE(block[offset] == 0);
        block[offset] = 1;
    }
    free(block);
    return NULL;
}

static const char *heap_realloc(void) {
    uint32_t *words = NULL;
    size_t count = 0;
    for (size_t size = 1024; size <= 8 << 20; size *= 2) {
        words = realloc(words, size * 4);
        REQUIRE(words);
        for (; count < size; count++) words[count] = count * 2654435761u;
    }
    for (size_t index = 0; index < count; index += 511) REQUIRE(words[index] == (uint32_t)(index * 2654435761u));
    words = realloc(words, 100 * 4);
    REQUIRE(words && words[99] == (uint32_t)(99 * 2654435761u));
    free(words);
    return NULL;
}

static const char *program_break(void) {
    // By raw calls: musl's sbrk refuses to move. The C library's heap may stand just below, so we move up only and
    // back.
    char *start = (char *)syscall(SYS_brk, 0);
    char *aligned = (char *)(((uintptr_t)start + 4095) & -4096ul);
    size_t size = 3 << 20;
    REQUIRE((char *)syscall(SYS_brk, aligned + size) == aligned + size);
    REQUIRE((char *)syscall(SYS_brk, 0) == aligned + size);
    for (size_t offset = 0; offset < size; offset += 4096) REQUIRE(aligned[offset] == 0);
    memset(aligned, 0x55, size);
    REQUIRE((char *)syscall(SYS_brk, aligned) == aligned);
    REQUIRE((char *)syscall(SYS_brk, aligned + size) == aligned + size);
    REQUIRE(aligned[0] == 0 && aligned[size - 1] == 0);
    // Nonsense leaves the break where it is.
    REQUIRE((char *)syscall(SYS_brk, 1) == aligned + size);
    REQUIRE((char *)syscall(SYS_brk, 0x7fffffff0000) == aligned + size);
    REQUIRE((char *)syscall(SYS_brk, start) == start);
    return NULL;
}

const struct test heap_tests[] = {
    {"heap_many_sizes", heap_many_sizes},   {"heap_large_block", heap_large_block}, {"heap_realloc", heap_realloc},
    {"heap_512_megabytes", heap_512_megabytes}, {"program_break", program_break},       {NULL, NULL},
};
