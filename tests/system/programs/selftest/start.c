// start.c: what a program finds when it starts: arguments, environment, auxiliary vector, thread-local storage.
//
// The auxiliary vector's entries are those of getauxval(3); Linux fills them in fs/binfmt_elf.c.
#include "check.h"

#include <cpuid.h>
#include <elf.h>
#include <sys/auxv.h>

extern char _start[];

static const char *arguments(void) {
    REQUIRE(start_argc >= 1);
    REQUIRE(start_argv[0] && start_argv[0][0]);
    REQUIRE(start_argv[start_argc] == NULL);
    for (int index = 0; index + 1 < start_argc; index++)
        REQUIRE(start_argv[index + 1] == start_argv[index] + strlen(start_argv[index]) + 1);
    REQUIRE(start_environment == start_argv + start_argc + 1);
    // The word below argv is argc, where the stack pointer was at the start: 16-byte aligned by the ABI.
    REQUIRE(((long *)start_argv)[-1] == start_argc);
    REQUIRE(((uintptr_t)start_argv - 8) % 16 == 0);
    return NULL;
}

static const char *environment(void) {
    for (char **variable = start_environment; *variable; variable++) REQUIRE(strchr(*variable, '='));
    REQUIRE(getenv("PATH") && getenv("HOME"));
    REQUIRE(setenv("SELFTEST", "one two", 1) == 0);
    REQUIRE(strcmp(getenv("SELFTEST"), "one two") == 0);
    REQUIRE(unsetenv("SELFTEST") == 0 && getenv("SELFTEST") == NULL);
    return NULL;
}

static Elf64_auxv_t *auxiliary(unsigned long type) {
    char **end = start_environment;
    while (*end) end++;
    Elf64_auxv_t *entry = (Elf64_auxv_t *)(end + 1);
    for (; entry->a_type != AT_NULL; entry++)
        if (entry->a_type == type) return entry;
    return NULL;
}

static const char *auxiliary_vector(void) {
    static const unsigned long all[] = {AT_PHDR, AT_PHENT, AT_PHNUM, AT_PAGESZ, AT_BASE,     AT_FLAGS,  AT_ENTRY,
                                        AT_UID,  AT_EUID,  AT_GID,   AT_EGID,   AT_PLATFORM, AT_HWCAP,  AT_CLKTCK,
                                        AT_SECURE, AT_RANDOM, AT_HWCAP2, AT_EXECFN, 51 /* AT_MINSIGSTKSZ */};
    static char sentence[64];
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) {
        if (auxiliary(all[index])) continue;
        snprintf(sentence, sizeof sentence, "no auxiliary entry of type %lu", all[index]);
        return sentence;
    }
    REQUIRE(auxiliary(AT_PAGESZ)->a_un.a_val == 4096);
    REQUIRE(auxiliary(AT_BASE)->a_un.a_val == 0);
    REQUIRE(auxiliary(AT_FLAGS)->a_un.a_val == 0);
    REQUIRE(auxiliary(AT_ENTRY)->a_un.a_val == (uintptr_t)_start);
    REQUIRE(auxiliary(AT_UID)->a_un.a_val == getuid() && auxiliary(AT_EUID)->a_un.a_val == geteuid());
    REQUIRE(auxiliary(AT_GID)->a_un.a_val == getgid() && auxiliary(AT_EGID)->a_un.a_val == getegid());
    REQUIRE(auxiliary(AT_CLKTCK)->a_un.a_val == 100);
    REQUIRE(auxiliary(AT_SECURE)->a_un.a_val == 0);
    REQUIRE(auxiliary(51)->a_un.a_val >= 1024);
    REQUIRE(strcmp((char *)auxiliary(AT_PLATFORM)->a_un.a_val, "x86_64") == 0);
    unsigned a, b, c, d;
    REQUIRE(__get_cpuid(1, &a, &b, &c, &d) && auxiliary(AT_HWCAP)->a_un.a_val == d);
    return NULL;
}

static const char *auxiliary_headers(void) {
    REQUIRE(auxiliary(AT_PHENT)->a_un.a_val == sizeof(Elf64_Phdr));
    const Elf64_Phdr *header = (const Elf64_Phdr *)auxiliary(AT_PHDR)->a_un.a_val;
    unsigned long count = auxiliary(AT_PHNUM)->a_un.a_val;
    int loads = 0;
    REQUIRE(count > 1 && count < 64);
    for (unsigned long index = 0; index < count; index++) loads += header[index].p_type == PT_LOAD;
    REQUIRE(loads >= 2);
    // The program headers lie behind the ELF header in its first page.
    REQUIRE(memcmp((void *)((uintptr_t)header & -4096ul), ELFMAG, SELFMAG) == 0);
    return NULL;
}

static const char *auxiliary_strings(void) {
    const char *name = (const char *)auxiliary(AT_EXECFN)->a_un.a_val;
    const char *last = strrchr(name, '/'), *argument = strrchr(start_argv[0], '/');
    REQUIRE(strcmp(last ? last : name, argument && last ? argument : start_argv[0]) == 0);
    const unsigned char *random = (const unsigned char *)auxiliary(AT_RANDOM)->a_un.a_val;
    int ones = 0;
    for (int index = 0; index < 16; index++) ones += __builtin_popcount(random[index]);
    REQUIRE(ones > 16 && ones < 112);
    return NULL;
}

static _Thread_local int tls_initialised = 42;
static _Thread_local char tls_zero[3000];
static _Thread_local _Alignas(64) long tls_aligned = 0x123456789abcdef;
static _Thread_local char tls_text[] = "thread local";

static const char *thread_local_storage(void) {
    REQUIRE(tls_initialised == 42);
    for (size_t index = 0; index < sizeof tls_zero; index++) REQUIRE(tls_zero[index] == 0);
    REQUIRE((uintptr_t)&tls_aligned % 64 == 0 && tls_aligned == 0x123456789abcdef);
    REQUIRE(strcmp(tls_text, "thread local") == 0);
    memset(tls_zero, 7, sizeof tls_zero);
    REQUIRE(tls_initialised == 42 && tls_aligned == 0x123456789abcdef);
    return NULL;
}

static int constructed;
__attribute__((constructor)) static void construct(void) { constructed = 1; }
static int table[1024] = {[1023] = 5};
static char zeroes[100000];

static const char *data_and_bss(void) {
    REQUIRE(constructed == 1 && table[1023] == 5 && table[0] == 0);
    for (size_t index = 0; index < sizeof zeroes; index++) REQUIRE(zeroes[index] == 0);
    memset(zeroes, 1, sizeof zeroes);
    return NULL;
}

static const char *floating_point_text(void) {
    char text[64];
    volatile double third = 1.0 / 3.0, large = 1e300;
    snprintf(text, sizeof text, "%.17g %g %.3Lf", third, large * 2, 2.5L);
    REQUIRE(strcmp(text, "0.33333333333333331 2e+300 2.500") == 0);
    REQUIRE(strtod("1.7976931348623157e308", NULL) == 1.7976931348623157e308);
    return NULL;
}

const struct test start_tests[] = {
    {"arguments", arguments},
    {"environment", environment},
    {"auxiliary_vector", auxiliary_vector},
    {"auxiliary_headers", auxiliary_headers},
    {"auxiliary_strings", auxiliary_strings},
    {"thread_local_storage", thread_local_storage},
    {"data_and_bss", data_and_bss},
    {"floating_point_text", floating_point_text},
    {NULL, NULL},
};
