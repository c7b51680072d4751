// tests.h: the families of tests, and what they share.
#pragma once
#include "../common/checks.h"

#include <fcntl.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/stat.h>

extern const struct test shared_tests[], private_tests[], length_tests[];

enum { PAGE = 4096 };

// A file without a name of that many pages, page N full of 'a' + N. In memory, or where $MAPPED is a directory, there.
int new_file(int pages);

// Maps all of it; must not fail.
char *map_file(int file, int pages, int protection, int flags);

// Whether touching the byte at address, as a store or a load, brings this signal; 0 is none.
int touch_signals(volatile char *address, int store);
