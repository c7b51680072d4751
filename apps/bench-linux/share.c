/*
 * A large file of the host's, read from its beginning to its end. A round is a megabyte.
 *
 * Each word of the file is its index times WORD: one word of each page is looked at, each page at another place.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "operations.h"

enum { PIECE = 1 << 20 };

#define WORD 0x9e3779b97f4a7c15u

static uint64_t words[PIECE / 8];
static uint64_t next_word;
static int file;

static void share_ready(void)
{
    file = (int)need(open(share_name, O_RDONLY));
}

/* What came is what stands there. */
static void check(void)
{
    for (uint64_t page = 0; page < PIECE / 4096; page++) {
        uint64_t at = page * 512 + (next_word / 512 + page) * 37 % 512;
        if (words[at] != (next_word + at) * WORD)
            missing(EBADMSG);
    }
    next_word += PIECE / 8;
}

static void read_on(uint64_t rounds)
{
    REPEAT(rounds) {
        for (long come = 0; come < PIECE;) {
            long count = need(read(file, (char *)words + come, (unsigned long)(PIECE - come)));
            if (count == 0)
                missing(ENODATA);
            come += count;
        }
        check();
    }
}

const struct operation share_calls[] = {
    { "read-in-order", share_ready, 0, read_on, 0 },
    { 0 },
};
