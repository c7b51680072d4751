/* What LEBench measures of a kernel beside processes: files of several lengths, read, written and mapped. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "operations.h"

/* LEBench's lengths: pages of small, medium, big and huge. */
enum { PAGE = 4096, SMALL = 1, MEDIUM = 10, BIG = 1000, HUGE = 10000, MOST = 512 };

static int file;
static long length;
static char *bytes, *mapped[MOST];
static uint64_t mapped_count;

static void make_file(long pages)
{
    length = pages * PAGE;
    bytes = mmap(0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    need(bytes == MAP_FAILED ? -1 : 0);
    for (long at = 0; at < length; at++)
        bytes[at] = 'a';
    file = (int)need(open(file_name, O_RDWR | O_CREAT | O_TRUNC, 0600));
    if (need(pwrite(file, bytes, length, 0)) != length)
        missing(ENOSPC);
}

static void small_ready(void)
{
    make_file(SMALL);
}

static void medium_ready(void)
{
    make_file(MEDIUM);
}

static void big_ready(void)
{
    make_file(BIG);
}

static void huge_ready(void)
{
    make_file(HUGE);
}

static void unmap_all(void)
{
    while (mapped_count > 0)
        need(munmap(mapped[--mapped_count], length));
}

static void file_end(void)
{
    unmap_all();
    need(munmap(bytes, length));
    need(close(file));
    need(unlink(file_name));
}

/* A call that has to move all of it. */
static void need_all(long moved)
{
    if (need(moved) != length)
        missing(EIO);
}

static void read_file(uint64_t rounds)
{
    REPEAT(rounds)
        need_all(pread(file, bytes, length, 0));
}

static void write_file(uint64_t rounds)
{
    REPEAT(rounds)
        need_all(pwrite(file, bytes, length, 0));
}

static void map_all(uint64_t rounds, int protection)
{
    REPEAT(rounds) {
        char *memory = mmap(0, length, protection, MAP_PRIVATE, file, 0);
        need(memory == MAP_FAILED ? -1 : 0);
        mapped[mapped_count++] = memory;
    }
}

static void none_mapped(uint64_t rounds)
{
    (void)rounds;
    unmap_all();
}

static void map_to_read(uint64_t rounds)
{
    map_all(rounds, PROT_READ);
}

static void anew(uint64_t rounds)
{
    unmap_all();
    map_all(rounds, PROT_READ);
}

/* The first page of each mapping. */
static void touch_first(uint64_t rounds)
{
    for (uint64_t index = 0; index < rounds; index++)
        if (*(volatile char *)mapped[index] != 'a')
            missing(EIO);
}

/* Every page of each is the process's own. */
static void map_and_store(uint64_t rounds)
{
    unmap_all();
    map_all(rounds, PROT_READ | PROT_WRITE);
    for (uint64_t index = 0; index < rounds; index++)
        for (long at = 0; at < length; at += PAGE)
            ((volatile char *)mapped[index])[at] = 'b';
}

static void unmap(uint64_t rounds)
{
    REPEAT(rounds)
        need(munmap(mapped[--mapped_count], length));
}

const struct operation usual_calls[] = {
    { "small-read", small_ready, 0, read_file, file_end },
    { "small-write", small_ready, 0, write_file, file_end },
    { "small-mmap", small_ready, none_mapped, map_to_read, file_end },
    { "small-munmap", small_ready, map_and_store, unmap, file_end },
    { "small-page-fault", small_ready, anew, touch_first, file_end },
    { "medium-read", medium_ready, 0, read_file, file_end },
    { "medium-write", medium_ready, 0, write_file, file_end },
    { "medium-mmap", medium_ready, none_mapped, map_to_read, file_end },
    { "medium-munmap", medium_ready, map_and_store, unmap, file_end },
    { 0 },
};

const struct operation big_calls[] = {
    { "big-page-fault", big_ready, anew, touch_first, file_end },
    { "huge-mmap", huge_ready, none_mapped, map_to_read, file_end },
    { 0 },
};

const struct operation huge_calls[] = {
    { "huge-read", huge_ready, 0, read_file, file_end },
    { "huge-write", huge_ready, 0, write_file, file_end },
    { "huge-munmap", huge_ready, map_and_store, unmap, file_end },
    { 0 },
};
