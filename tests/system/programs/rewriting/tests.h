// tests.h: sites of system calls, each of a kind, and what the families of tests share.
#pragma once
#include "../common/checks.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

extern const struct test register_tests[], cpuid_tests[], signal_tests[], page_tests[], thread_tests[];

// Each makes the system call of that number with three arguments, and gives its answer, by a site of its own:
// - number_site: mov $39, %eax right before (getpid(2) only);
// - before_site: other instructions before, which end 3 and 6 bytes after its start;
// - behind_site: a jump before, so that only instructions behind it can be taken away.
extern const unsigned char number_site[], before_site[], behind_site[];
// The addresses behind their syscall instructions.
extern const unsigned char number_behind[], before_behind[], behind_behind[];

long number_call(long number, long first, long second, long third);
long before_call(long number, long first, long second, long third);
long behind_call(long number, long first, long second, long third);

struct site {
    const char *name;
    long (*call)(long, long, long, long);
    const unsigned char *start, *behind;
};

enum { SITES = 3 };
extern const struct site sites[SITES];

// Calls until the site has been rewritten, if it is to be; whether it is as it should be.
int warm(const struct site *site);

// Whether system calls are rewritten in this run: $REWRITTEN.
int is_rewriting(void);

// A private mapping of a file with code that makes one system call without arguments, `number`, 128 bytes behind its
// start. At `address` if that is not NULL.
typedef long (*function)(void);
enum { CODE = 4096, AT = 128 };
char *map_code(int number, void *address);
static inline long call_code(char *code) { return ((function)(code + AT))(); }

// Whether an address is in what /proc/self/maps showed when the program began.
int is_known(uintptr_t address);

static inline uintptr_t instruction_of(void *context) {
    return (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}
