// registers.c: what a system call leaves alone: registers, flags, vectors, what lies below the stack pointer.
#include "tests.h"

#include "state.h"

#include <sys/auxv.h>

struct state loaded, stored;
// Loads all of `loaded`, makes getpid(2) by a site that follows, and stores all in `stored`. The stack pointer is
// nowhere meanwhile.
#define FUNCTION(name, before, behind)                                                                                 \
    ".skip 64, 0x90\n" name ":\n" LOAD_ALL "mov $39, %eax\n" before "syscall\n" behind STORE_ALL

__asm__(".pushsection .text\n"
        FUNCTION("all_number", "mov $0x1234, %esp\nmov $39, %eax\n", "all_number_behind:\n")
        FUNCTION("all_before", "lea 0x123(%rsp), %rsp\n", "all_before_behind:\n")
        FUNCTION("all_behind", "jmp 1f\n1:\n", "all_behind_behind: mov $0x10, %esp\n")
        ".popsection\n");

void all_number(void), all_before(void), all_behind(void);
extern const char all_number_behind[], all_before_behind[], all_behind_behind[];

static void same_registers(void (*function)(void), const char *behind, uint64_t flags) {
    unsigned char *bytes = (unsigned char *)&loaded;
    for (size_t at = 0; at < sizeof loaded; at++)
        bytes[at] = (unsigned char)(at * 37 + flags);
    loaded.flags = 0x202 | flags;
    for (int turn = 0; turn < 64; turn++) {
        memset(&stored, 0, sizeof stored);
        function();
        REQUIRE(stored.registers[0] == (uint64_t)getpid());
        REQUIRE(stored.registers[2] == (uintptr_t)behind);
        for (int place = 0; place < 15; place++)
            if (place != 0 && place != 2 && place != 10)
                REQUIRE(stored.registers[place] == loaded.registers[place]);
        REQUIRE((stored.registers[10] & 0x8d5) == (loaded.flags & 0x8d5));
        REQUIRE((stored.flags & 0xcd5) == (loaded.flags & 0xcd5));
        REQUIRE(memcmp(stored.vectors, loaded.vectors, sizeof loaded.vectors) == 0);
    }
}

// Carry, parity, adjust, zero, sign, overflow; then direction, which the kernel must not work with.
static void registers(void) {
    static const uint64_t flags[] = {0, 0x1, 0x4, 0x10, 0x40, 0x80, 0x800, 0x8d5, 0x400, 0xcd5};
    for (size_t number = 0; number < sizeof flags / sizeof *flags; number++) {
        same_registers(all_number, all_number_behind, flags[number]);
        same_registers(all_before, all_before_behind, flags[number]);
        same_registers(all_behind, all_behind_behind, flags[number]);
    }
    CHECK(1);
}

static void alignment_check(void) {
    same_registers(all_before, all_before_behind, 0x40000);
    CHECK(1);
}

static uint64_t wide[16][4], wide_after[16][4];

#define LOAD_WIDE(number) "vmovdqu wide + 32 * " #number "(%%rip), %%ymm" #number "\n"
#define STORE_WIDE(number) "vmovdqu %%ymm" #number ", wide_after + 32 * " #number "(%%rip)\n"
#define WIDE(each)                                                                                                     \
    each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10) each(11) each(12)         \
        each(13) each(14) each(15)

__attribute__((target("avx"), noinline)) static void wide_over(const struct site *site) {
    register long (*call)(long, long, long, long) __asm__("rbx") = site->call;
    long number = SYS_getpid;
    __asm__ volatile("sub $128, %%rsp\n" WIDE(LOAD_WIDE) "call *%%rbx\n" WIDE(STORE_WIDE)
                     "add $128, %%rsp\nvzeroupper\n"
                     : "+D"(number)
                     : "r"(call)
                     : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "xmm0", "xmm1", "xmm2", "xmm3",
                       "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15");
}

// All 256 bits of the vector registers, where there are so many.
static void wide_vectors(void) {
    for (int number = 0; number < SITES && __builtin_cpu_supports("avx"); number++)
        for (int turn = 0; turn < 64; turn++) {
            unsigned char *bytes = (unsigned char *)wide;
            for (size_t at = 0; at < sizeof wide; at++)
                bytes[at] = (unsigned char)(at * 41 + turn);
            memset(wide_after, 0, sizeof wide_after);
            wide_over(&sites[number]);
            REQUIRE(memcmp(wide, wide_after, sizeof wide) == 0);
        }
    CHECK(1);
}

extern const unsigned char red_zone_site[];

// What a leaf function keeps below its stack pointer.
static void red_zone(void) {
    for (int turn = 0; turn < 64; turn++) {
        long same;
        __asm__ volatile("movabs $0x1122334455667788, %%rdx\n"
                         "mov %%rdx, -8(%%rsp)\nmov %%rdx, -64(%%rsp)\nmov %%rdx, -128(%%rsp)\n"
                         ".globl red_zone_site\nred_zone_site: mov $39, %%eax\nsyscall\n"
                         "xor -8(%%rsp), %%rdx\nmov %%rdx, %%rax\nmov -8(%%rsp), %%rdx\nxor -64(%%rsp), %%rdx\n"
                         "or %%rdx, %%rax\nmov -64(%%rsp), %%rdx\nxor -128(%%rsp), %%rdx\nor %%rdx, %%rax\n"
                         : "=a"(same)
                         :
                         : "rcx", "rdx", "r11", "memory");
        REQUIRE(same == 0);
    }
    CHECK(!is_rewriting() || *red_zone_site == 0xe9);
}

// Whoever jumps to an instruction that was taken away, or right to the system call, comes there.
static long jump_to(const unsigned char *place, long number) {
    long result;
    __asm__ volatile("sub $128, %%rsp\ncall *%1\nadd $128, %%rsp"
                     : "=a"(result)
                     : "r"(place), "a"(number)
                     : "rcx", "rdx", "rsi", "rdi", "r11", "memory");
    return result;
}

static void stray_jumps(void) {
    for (int number = 0; number < SITES; number++)
        CHECK(warm(&sites[number]));
    long own = getpid(), parent = getppid();
    for (int turn = 0; turn < 200; turn++) {
        REQUIRE(jump_to(before_site, SYS_getppid) == parent);
        REQUIRE(jump_to(before_site + 3, SYS_getppid) == parent);
        REQUIRE(jump_to(before_site + 6, SYS_getppid) == parent);
        REQUIRE(jump_to(number_site + 5, SYS_getppid) == parent);
        REQUIRE(jump_to(number_site, SYS_getppid) == own);
        REQUIRE(jump_to(behind_site, SYS_getppid) == parent);
        REQUIRE(jump_to(behind_behind, 77) == 77);
        REQUIRE(jump_to(behind_behind + 3, 78) == 78);
    }
    CHECK(1);
}

// A loop whose head is among what was taken away: the program's own code jumps there directly, and by a computed
// address.
__asm__(".pushsection .text\n.skip 64, 0x90\n"
        ".globl looping_call, looping_site\n"
        "looping_call:\n" // the number, turns
        "mov %rdi, %r8\n"
        "mov %rsi, %r9\n"
        "lea looping_head(%rip), %r10\n"
        "looping_site: mov %r8, %rdi\n"
        "looping_head: mov %r8, %rax\n"
        "syscall\n"
        "dec %r9\n"
        "jz 1f\n"
        "test $1, %r9\n"
        "jz looping_head\n"
        "jmp *%r10\n"
        "1: ret\n"
        ".skip 64, 0x90\n.popsection\n");
long looping_call(long number, long turns);
extern const unsigned char looping_site[];

static void jumps_of_its_own(void) {
    long parent = getppid();
    // From the beginning each time, so that the site proves itself.
    for (int turn = 0; turn < 64; turn++)
        REQUIRE(looping_call(SYS_getppid, 1) == parent);
    CHECK(!is_rewriting() || *looping_site == 0xe9);
    for (int turn = 0; turn < 64; turn++)
        REQUIRE(looping_call(SYS_getppid, 50) == parent);
    CHECK(!is_rewriting() || *looping_site == 0xe9);
}

static sigjmp_buf no_instruction;

static void on_illegal(int number) { siglongjmp(no_instruction, number); }

// A program may put what it likes into GS base, where it is told that it may (AT_HWCAP2; not at ring 0).
static void base_of_gs(void) {
    enum { BASE_INSTRUCTIONS = 2 };
    static uint64_t words[64];
    signal(SIGILL, on_illegal);
    if (getauxval(AT_HWCAP2) & BASE_INSTRUCTIONS && sigsetjmp(no_instruction, 1) == 0) {
        for (int turn = 0; turn < 100; turn++) {
            uint64_t base = turn % 3 == 0 ? 0x1000 : turn % 3 == 1 ? (uint64_t)words : 1ull << 46;
            __asm__ volatile(".byte 0xf3, 0x48, 0x0f, 0xae, 0xd8" : : "a"(base)); // wrgsbase %rax
            REQUIRE(number_call(0, 0, 0, 0) == getpid());
            REQUIRE(before_call(SYS_getpid, 0, 0, 0) == getpid());
        }
    }
    signal(SIGILL, SIG_DFL);
    CHECK(1);
}

const struct test register_tests[] = {
    {"registers", registers},
    {"alignment_check", alignment_check},
    {"wide_vectors", wide_vectors},
    {"red_zone", red_zone},
    {"stray_jumps", stray_jumps},
    {"jumps_of_its_own", jumps_of_its_own},
    {"base_of_gs", base_of_gs},
    {NULL, NULL},
};
