// vdso.c: the vDSO as a library finds it, and its functions beside the system calls (vdso(7), elf(5)).
#include "tests.h"

#include <elf.h>
#include <setjmp.h>
#include <sys/auxv.h>

static struct {
    int (*clock_gettime)(long, struct timespec *);
    int (*gettimeofday)(struct timeval *, void *);
    long (*time)(long *);
    int (*getcpu)(unsigned *, unsigned *, void *);
    int (*clock_getres)(long, struct timespec *);
} vdso;

static uintptr_t base;
static const Elf64_Sym *symbols;
static const char *strings;
static const Elf64_Half *versions;
static const Elf64_Verdef *definitions;
static const Elf64_Word *table;

static unsigned hash(const char *name) {
    unsigned hash = 0;
    for (; *name; name++) {
        hash = (hash << 4) + (unsigned char)*name;
        hash = (hash ^ (hash & 0xf0000000) >> 24) & 0x0fffffff;
    }
    return hash;
}

static int is_of_version(const char *version, Elf64_Half index) {
    const Elf64_Verdef *definition = definitions;
    while ((definition->vd_flags & VER_FLG_BASE) || (definition->vd_ndx & 0x7fff) != (index & 0x7fff)) {
        if (!definition->vd_next) return 0;
        definition = (const void *)((const char *)definition + definition->vd_next);
    }
    const Elf64_Verdaux *name = (const void *)((const char *)definition + definition->vd_aux);
    return definition->vd_hash == hash(version) && strcmp(strings + name->vda_name, version) == 0;
}

// The index behind this one, or the first one for 0, of those that a symbol's name may have.
static size_t next(const char *name, size_t index) {
    // Where there is only a GNU hash table: all, up to the names, which follow the symbols.
    size_t count = ((const char *)strings - (const char *)symbols) / sizeof *symbols;
    if (!table) return index + 1 < count ? index + 1 : 0;
    return index ? table[2 + table[0] + index] : table[2 + hash(name) % table[0]];
}

static void *function(const char *name) {
    for (size_t index = next(name, 0); index; index = next(name, index)) {
        const Elf64_Sym *symbol = symbols + index;
        if (strcmp(strings + symbol->st_name, name) || !is_of_version("LINUX_2.6", versions[index])) continue;
        CHECK(ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF && symbol->st_size > 0);
        return (void *)(base + symbol->st_value);
    }
    return NULL;
}

static const Elf64_Phdr *segment(const Elf64_Ehdr *header, unsigned type) {
    const Elf64_Phdr *segments = (const void *)((const char *)header + header->e_phoff);
    for (int index = 0; index < header->e_phnum; index++)
        if (segments[index].p_type == type) return segments + index;
    check(0, __FILE__, __LINE__, "the segment is there");
    return NULL;
}

static void read_dynamic(const Elf64_Dyn *entry) {
    const char *name = "";
    for (const Elf64_Dyn *other = entry; other->d_tag != DT_NULL; other++) {
        const void *address = (const void *)(base + other->d_un.d_ptr);
        if (other->d_tag == DT_STRTAB) strings = address;
        if (other->d_tag == DT_SYMTAB) symbols = address;
        if (other->d_tag == DT_VERSYM) versions = address;
        if (other->d_tag == DT_VERDEF) definitions = address;
        if (other->d_tag == DT_HASH) table = address;
    }
    for (; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_SONAME) name = strings + entry->d_un.d_val;
    CHECK(strings && symbols && versions && definitions && strcmp(name, "linux-vdso.so.1") == 0);
}

static void look_up(void) {
    const Elf64_Ehdr *header = (const void *)getauxval(AT_SYSINFO_EHDR);
    CHECK(header && memcmp(header->e_ident, ELFMAG "\2\1\1", SELFMAG + 3) == 0);
    CHECK(header->e_type == ET_DYN && header->e_machine == EM_X86_64 && header->e_phentsize == sizeof(Elf64_Phdr));
    const Elf64_Phdr *loaded = segment(header, PT_LOAD);
    CHECK(loaded->p_flags == (PF_R | PF_X));
    base = (uintptr_t)header + loaded->p_offset - loaded->p_vaddr;
    read_dynamic((const void *)(base + segment(header, PT_DYNAMIC)->p_vaddr));
    CHECK((vdso.clock_gettime = function("__vdso_clock_gettime")) != NULL);
    CHECK((vdso.gettimeofday = function("__vdso_gettimeofday")) != NULL);
    CHECK((vdso.time = function("__vdso_time")) != NULL);
    CHECK((vdso.getcpu = function("__vdso_getcpu")) != NULL);
    CHECK((vdso.clock_getres = function("__vdso_clock_getres")) != NULL);
}

static void is_listed(void) {
    char line[512], expected[32];
    snprintf(expected, sizeof expected, "%lx-", getauxval(AT_SYSINFO_EHDR));
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(maps != NULL);
    int found = 0;
    while (fgets(line, sizeof line, maps))
        found += strstr(line, "[vdso]") && strstr(line, " r-xp ") && strncmp(line, expected, strlen(expected)) == 0;
    CHECK(fclose(maps) == 0 && found == 1);
}

// What the clock shows, by one way or the other: a system call's result is the function's, errors too.
static long long reading(long clock, int by_call) {
    struct timespec time;
    long result = by_call ? syscall(SYS_clock_gettime, clock, &time) : vdso.clock_gettime(clock, &time);
    REQUIRE(result == 0 && time.tv_nsec >= 0 && time.tv_nsec < 1000000000);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static const long steady[] = {CLOCK_REALTIME, CLOCK_MONOTONIC,        CLOCK_MONOTONIC_RAW,   CLOCK_BOOTTIME,
                              CLOCK_TAI,      CLOCK_MONOTONIC_COARSE, CLOCK_REALTIME_COARSE, CLOCK_THREAD_CPUTIME_ID};
enum { CLOCKS = sizeof steady / sizeof *steady };

static void agrees(void) {
    look_up();
    for (int index = 0; index < CLOCKS; index++) {
        long long last = 0;
        int backwards = 0;
        for (int round = 0; round < scaled(1000000); round++) {
            long long now = reading(steady[index], round & 1);
            backwards += now < last;
            last = now;
        }
        CHECK(backwards == 0);
    }
}

static long watched;
static atomic_llong latest;
static atomic_int backwards;

static void *watch(void *by_call) {
    for (int round = 0; round < scaled(200000); round++) {
        long long seen = latest, now = reading(watched, by_call != NULL);
        if (now < seen) backwards++;
        while (now > seen && !atomic_compare_exchange_weak(&latest, &seen, now)) continue;
    }
    return NULL;
}

static void agrees_among_threads(void) {
    look_up();
    // All but a thread's own time.
    for (int index = 0; index < CLOCKS - 1; index++) {
        watched = steady[index];
        latest = backwards = 0;
        pthread_t calls = start_thread(watch, &watched), functions = start_thread(watch, NULL);
        join_thread(calls);
        join_thread(functions);
        CHECK(backwards == 0);
    }
}

static long raw(long number, long first, void *second) {
    long result = syscall(number, first, second);
    return result == -1 ? -errno : result;
}

static void knows_the_same(void) {
    look_up();
    struct timespec here, there;
    int known = 0, same = 0;
    // Linux disagrees with itself about the resolution of its auxiliary clocks, which begin at 16.
    for (long clock = -20; clock < 16; clock++) {
        int result = vdso.clock_gettime(clock, &here);
        same += result == raw(SYS_clock_gettime, clock, &there);
        known += clock >= 0 && result == 0;
        result = vdso.clock_getres(clock, &here);
        same += result == raw(SYS_clock_getres, clock, &there);
        same += result != 0 || (here.tv_sec == there.tv_sec && here.tv_nsec == there.tv_nsec);
        same += vdso.clock_getres(clock, NULL) == raw(SYS_clock_getres, clock, NULL);
    }
    CHECK(same == 4 * 36 && known >= 8);
    CHECK(vdso.clock_gettime(77, &here) == -EINVAL && vdso.clock_gettime(1L << 32 | 77, &here) == -EINVAL);
}

static void calendar(void) {
    look_up();
    struct timeval day, by_call;
    int zone[2] = {1, 1}, zone_by_call[2] = {1, 1};
    for (int round = 0; round < scaled(10000); round++) {
        REQUIRE(vdso.gettimeofday(&day, zone) == 0 && syscall(SYS_gettimeofday, &by_call, zone_by_call) == 0);
        REQUIRE(day.tv_usec >= 0 && day.tv_usec < 1000000);
        REQUIRE(day.tv_sec * 1000000LL + day.tv_usec <= by_call.tv_sec * 1000000LL + by_call.tv_usec);
    }
    CHECK(zone[0] == zone_by_call[0] && zone[1] == zone_by_call[1]);
    CHECK(vdso.gettimeofday(NULL, zone) == 0 && vdso.gettimeofday(&day, NULL) == 0 && vdso.gettimeofday(NULL, NULL) == 0);
    long written = 0, before = syscall(SYS_time, NULL), now = vdso.time(&written), after = syscall(SYS_time, NULL);
    CHECK(before <= now && now == written && now <= after && vdso.time(NULL) >= now);
}

static void *keep_to_one(void *one) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(*(int *)one, &set);
    CHECK(sched_setaffinity(0, sizeof set, &set) == 0);
    for (int round = 0; round < scaled(10000); round++) {
        unsigned processor = 77, node = 77;
        REQUIRE(vdso.getcpu(&processor, &node, NULL) == 0 && processor == (unsigned)*(int *)one && node == 0);
        if (round % 100 == 0) sched_yield();
    }
    return NULL;
}

static void place(void) {
    look_up();
    cpu_set_t set;
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
    int missed = 0;
    for (int processor = 0; processor < 2; processor++) {
        // Where there is one processor, both turns are on that one.
        int one = CPU_ISSET(processor, &set) ? processor : 0;
        while (!CPU_ISSET(one, &set)) one++;
        join_thread(start_thread(keep_to_one, &one));
    }
    for (int round = 0; round < scaled(1000); round++) {
        unsigned processor;
        missed += vdso.getcpu(&processor, NULL, NULL) != 0 || !CPU_ISSET(processor, &set);
    }
    CHECK(missed == 0 && vdso.getcpu(NULL, NULL, NULL) == 0);
}

static sigjmp_buf faulted;
static void *fault_address;

static void on_fault(int signal, siginfo_t *information, void *context) {
    (void)signal, (void)context;
    fault_address = information->si_addr;
    siglongjmp(faulted, 1);
}

static void faults(void) {
    look_up();
    handle(SIGSEGV, on_fault, SA_NODEFER);
    for (int round = 0; round < 3; round++) {
        volatile int came = 0;
        if (sigsetjmp(faulted, 1) == 0) {
            if (round == 0) vdso.clock_gettime(CLOCK_MONOTONIC, (void *)8);
            if (round == 1) vdso.gettimeofday((void *)8, NULL);
            if (round == 2) *(volatile char *)getauxval(AT_SYSINFO_EHDR) = 0;
        } else {
            came = 1;
        }
        uintptr_t address = (uintptr_t)fault_address;
        CHECK(came && (round == 2 ? address == getauxval(AT_SYSINFO_EHDR) : address >= 8 && address < 24));
    }
    signal(SIGSEGV, SIG_DFL);
}

static atomic_int alarms;

static void on_alarm(int signal, siginfo_t *information, void *context) {
    (void)signal, (void)information, (void)context;
    reading(CLOCK_MONOTONIC, 0);
    alarms++;
}

static void is_interrupted(void) {
    look_up();
    handle(SIGALRM, on_alarm, SA_RESTART);
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    int backwards = 0;
    long long last = 0;
    while (alarms < scaled(500)) {
        for (int round = 0; round < 100; round++) {
            long long now = reading(CLOCK_MONOTONIC, 0);
            backwards += now < last;
            last = now;
        }
    }
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0 && backwards == 0);
    signal(SIGALRM, SIG_DFL);
}

const struct test vdso_tests[] = {
    {"vdso_is_found", look_up},           {"vdso_is_listed", is_listed},
    {"vdso_agrees", agrees},              {"vdso_agrees_among_threads", agrees_among_threads},
    {"vdso_knows_the_same", knows_the_same}, {"vdso_calendar", calendar},
    {"vdso_place", place},                {"vdso_faults", faults},
    {"vdso_is_interrupted", is_interrupted}, {NULL, NULL},
};
