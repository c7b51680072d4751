/* Calls and faults on memory. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>

#include "operations.h"

enum { PAGE = 4096 };

static volatile char *pages;
static uint64_t page_count;

static char *map(uint64_t length)
{
    char *memory = mmap(0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    need(memory == MAP_FAILED ? -1 : 0);
    return memory;
}

static void nothing_to_do(void)
{
}

static void map_touch_unmap(uint64_t rounds)
{
    REPEAT(rounds) {
        char *memory = map(PAGE);
        *(volatile char *)memory = 1;
        need(munmap(memory, PAGE));
    }
}

/* Untouched pages of 4 KB, one per round. */
static void fresh_pages(uint64_t rounds)
{
    if (pages)
        need(munmap((void *)pages, page_count * PAGE));
    pages = 0;
    page_count = rounds;
    pages = map(rounds * PAGE);
    /* Where large pages are unknown there are none to be refused. */
    madvise((void *)pages, rounds * PAGE, MADV_NOHUGEPAGE);
}

static void touch_pages(uint64_t rounds)
{
    volatile char *next = pages;
    REPEAT(rounds) {
        *next = 1;
        next += PAGE;
    }
}

static void protect_ready(void)
{
    pages = map(PAGE);
    *pages = 1;
}

/* To read-only and back. */
static void protect_twice(uint64_t rounds)
{
    REPEAT(rounds) {
        need(mprotect((void *)pages, PAGE, PROT_READ));
        need(mprotect((void *)pages, PAGE, PROT_READ | PROT_WRITE));
    }
}

const struct operation memory_calls[] = {
    { "mmap-touch-munmap", nothing_to_do, 0, map_touch_unmap, 0 },
    { "page-fault", nothing_to_do, fresh_pages, touch_pages, 0 },
    { "mprotect-twice", protect_ready, 0, protect_twice, 0 },
    { 0 },
};
