/* Calls on files in memory. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "operations.h"

enum { SMALL = 4096, LARGE = 65536 };

static char bytes[LARGE];
static int file, device;
static struct stat status;

static void file_ready(void)
{
    file = (int)need(open(file_name, O_RDWR | O_CREAT | O_TRUNC, 0600));
    need(pwrite(file, bytes, LARGE, 0));
}

/* A sample takes fewer rounds than the file has bytes. */
static void rewind_file(uint64_t rounds)
{
    (void)rounds;
    need(lseek(file, 0, SEEK_SET));
}

static void read_byte(uint64_t rounds)
{
    REPEAT(rounds)
        need(read(file, bytes, 1) - 1);
}

static void write_byte(uint64_t rounds)
{
    REPEAT(rounds)
        need(write(file, bytes, 1));
}

static void pread_small(uint64_t rounds)
{
    REPEAT(rounds)
        need(pread(file, bytes, SMALL, 0));
}

static void pread_large(uint64_t rounds)
{
    REPEAT(rounds)
        need(pread(file, bytes, LARGE, 0));
}

static void pwrite_small(uint64_t rounds)
{
    REPEAT(rounds)
        need(pwrite(file, bytes, SMALL, 0));
}

static void pwrite_large(uint64_t rounds)
{
    REPEAT(rounds)
        need(pwrite(file, bytes, LARGE, 0));
}

static void zero_ready(void)
{
    device = (int)need(open("/dev/zero", O_RDONLY));
}

static void read_zero(uint64_t rounds)
{
    REPEAT(rounds)
        need(read(device, bytes, 1));
}

static void null_ready(void)
{
    device = (int)need(open("/dev/null", O_WRONLY));
}

static void write_null(uint64_t rounds)
{
    REPEAT(rounds)
        need(write(device, bytes, 1));
}

static void open_close(uint64_t rounds)
{
    REPEAT(rounds)
        need(close((int)need(open(file_name, O_RDONLY))));
}

static void stat_path(uint64_t rounds)
{
    REPEAT(rounds)
        need(stat(file_name, &status));
}

static void stat_file(uint64_t rounds)
{
    REPEAT(rounds)
        need(fstat(file, &status));
}

static void other_ready(void)
{
    unlink(other_name);
}

static void create_unlink(uint64_t rounds)
{
    REPEAT(rounds) {
        need(close((int)need(open(other_name, O_WRONLY | O_CREAT | O_EXCL, 0600))));
        need(unlink(other_name));
    }
}

const struct operation file_calls[] = {
    { "read-1", file_ready, rewind_file, read_byte, 0 },
    { "write-1", file_ready, rewind_file, write_byte, 0 },
    { "pread-4096", file_ready, 0, pread_small, 0 },
    { "pread-65536", file_ready, 0, pread_large, 0 },
    { "pwrite-4096", file_ready, 0, pwrite_small, 0 },
    { "pwrite-65536", file_ready, 0, pwrite_large, 0 },
    { "read-1-dev-zero", zero_ready, 0, read_zero, 0 },
    { "write-1-dev-null", null_ready, 0, write_null, 0 },
    { "open-close", file_ready, 0, open_close, 0 },
    { "stat", file_ready, 0, stat_path, 0 },
    { "fstat", file_ready, 0, stat_file, 0 },
    { "create-unlink", other_ready, 0, create_unlink, 0 },
    { 0 },
};
