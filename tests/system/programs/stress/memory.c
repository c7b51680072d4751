// memory.c: mappings made, filled, cut, moved and taken away; blocks of the heap.
#include "stress.h"

#include <sys/mman.h>

enum { PAGE = 4096 };

static char *map(int pages, int flags) {
    char *memory = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    return memory;
}

static void fill(char *memory, int pages, int from) {
    for (int page = 0; page < pages; page++) *(int *)(memory + (size_t)page * PAGE) = from + page;
}

static void expect(const char *memory, int pages, int from) {
    for (int page = 0; page < pages; page++) REQUIRE(*(const int *)(memory + (size_t)page * PAGE) == from + page);
}

void map_memory(struct chance *chance) {
    int pages = 3 + (int)draw(chance, 200), hole = 1 + (int)draw(chance, pages - 2);
    char *memory = map(pages, draw(chance, 2) ? MAP_NORESERVE : 0);
    fill(memory, pages, 7);
    // The advice makes pages zero again; what lies beside stays.
    REQUIRE(madvise(memory + (size_t)hole * PAGE, PAGE, MADV_DONTNEED) == 0);
    REQUIRE(*(int *)(memory + (size_t)hole * PAGE) == 0);
    expect(memory, hole, 7);
    REQUIRE(mprotect(memory, (size_t)hole * PAGE, PROT_READ) == 0);
    expect(memory, hole, 7);
    // A hole in the middle, then the two ends.
    REQUIRE(munmap(memory + (size_t)hole * PAGE, PAGE) == 0);
    expect(memory + (size_t)(hole + 1) * PAGE, pages - hole - 1, 7 + hole + 1);
    REQUIRE(munmap(memory, (size_t)hole * PAGE) == 0);
    REQUIRE(munmap(memory + (size_t)(hole + 1) * PAGE, (size_t)(pages - hole - 1) * PAGE) == 0);
}

void remap_memory(struct chance *chance) {
    int pages = 1 + (int)draw(chance, 60), more = pages + 1 + (int)draw(chance, 60);
    char *memory = map(pages, 0);
    fill(memory, pages, 3);
    char *moved = mremap(memory, (size_t)pages * PAGE, (size_t)more * PAGE, MREMAP_MAYMOVE);
    REQUIRE(moved != MAP_FAILED);
    expect(moved, pages, 3);
    REQUIRE(*(int *)(moved + (size_t)pages * PAGE) == 0);
    fill(moved, more, 9);
    REQUIRE(mremap(moved, (size_t)more * PAGE, PAGE, 0) == moved);
    expect(moved, 1, 9);
    REQUIRE(munmap(moved, PAGE) == 0);
}

void use_heap(struct chance *chance) {
    unsigned char *blocks[64];
    size_t sizes[64];
    for (int index = 0; index < 64; index++) {
        sizes[index] = 1 + draw(chance, draw(chance, 8) ? 2000 : 300000);
        blocks[index] = malloc(sizes[index]);
        REQUIRE(blocks[index]);
        blocks[index][0] = blocks[index][sizes[index] - 1] = (unsigned char)index;
    }
    for (int index = 0; index < 64; index++) {
        REQUIRE(blocks[index][0] == index && blocks[index][sizes[index] - 1] == index);
        free(blocks[index]);
    }
}
