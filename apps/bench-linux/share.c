/* A large file that the host shares, read from its beginning to its end. A round is a megabyte. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "operations.h"

enum { PIECE = 1 << 20 };

static char bytes[PIECE];
static int file;

static void share_ready(void)
{
    file = (int)need(open(share_name, O_RDONLY));
}

static void read_on(uint64_t rounds)
{
    REPEAT(rounds)
        for (long come = 0; come < PIECE;) {
            long count = need(read(file, bytes, PIECE - come));
            if (count == 0)
                missing(ENODATA);
            come += count;
        }
}

const struct operation share_calls[] = {
    { "read-1G", share_ready, 0, read_on, 0 },
    { 0 },
};
