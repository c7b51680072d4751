/* Directories with many entries, many directories, and a file as memory. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "operations.h"

enum { MANY = 10000, DIRECTORIES = 100, FEW = 10, LINE = 64, LARGE = 64 << 20 };

static char name[512];
static int large;

static void make_directory(const char *path)
{
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        missing(errno);
}

static void make_files(const char *folder, int count)
{
    for (int number = 0; number < count; number++) {
        snprintf(name, sizeof name, "%s/entry-%d", folder, number);
        need(close((int)need(open(name, O_WRONLY | O_CREAT, 0600))));
    }
}

static void remove_files(const char *folder, int count)
{
    for (int number = 0; number < count; number++) {
        snprintf(name, sizeof name, "%s/entry-%d", folder, number);
        unlink(name);
    }
    rmdir(folder);
}

static char *directory(int number)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%d", folder_name, number);
    return path;
}

static void many_ready(void)
{
    make_directory(folder_name);
    make_files(folder_name, MANY);
}

static void many_end(void)
{
    remove_files(folder_name, MANY);
}

/* All entries of a directory, as readdir(3) shows them; `.` and `..` too. */
static int list(const char *path)
{
    DIR *listed = opendir(path);
    int count = 0;
    if (!listed)
        missing(errno);
    while (readdir(listed))
        count++;
    need(closedir(listed));
    return count;
}

static void list_many(uint64_t rounds)
{
    REPEAT(rounds)
        if (list(folder_name) != MANY + 2)
            missing(EIO);
}

static void directories_ready(void)
{
    make_directory(folder_name);
    for (int number = 0; number < DIRECTORIES; number++) {
        make_directory(directory(number));
        make_files(directory(number), FEW);
    }
}

static void directories_end(void)
{
    for (int number = 0; number < DIRECTORIES; number++)
        remove_files(directory(number), FEW);
    rmdir(folder_name);
}

static void list_directories(uint64_t rounds)
{
    static char paths[DIRECTORIES][300];
    static char bytes[32768];
    for (int number = 0; number < DIRECTORIES; number++)
        snprintf(paths[number], sizeof *paths, "%s", directory(number));
    REPEAT(rounds) {
        for (int number = 0; number < DIRECTORIES; number++) {
            int opened = (int)need(open(paths[number], O_RDONLY | O_DIRECTORY));
            while (need(getdents64(opened, bytes, sizeof bytes)) > 0) {
            }
            need(close(opened));
        }
    }
}

static void large_ready(void)
{
    static char bytes[1 << 20];
    large = (int)need(open(file_name, O_RDWR | O_CREAT | O_TRUNC, 0600));
    for (int written = 0; written < LARGE; written += (int)sizeof bytes)
        if (need(write(large, bytes, sizeof bytes)) != (long)sizeof bytes)
            missing(ENOSPC);
}

static void large_end(void)
{
    need(close(large));
    need(unlink(file_name));
}

/* A word of each cache line. */
static void read_mapped(uint64_t rounds)
{
    REPEAT(rounds) {
        char *memory = mmap(0, LARGE, PROT_READ, MAP_SHARED, large, 0);
        need(memory == MAP_FAILED ? -1 : 0);
        uint64_t here = 0;
        for (int at = 0; at < LARGE; at += LINE)
            here += *(volatile uint64_t *)(memory + at);
        asm volatile("" : : "r"(here));
        need(munmap(memory, LARGE));
    }
}

const struct operation tree_calls[] = {
    { "readdir-10000", many_ready, 0, list_many, many_end },
    { "getdents-100-directories", directories_ready, 0, list_directories, directories_end },
    { "mmap-read-64M", large_ready, 0, read_mapped, large_end },
    { 0 },
};
