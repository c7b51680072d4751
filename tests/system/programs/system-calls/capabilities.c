// capabilities.c: what the process may do, how it follows its users, and how it is given up (capabilities(7)).
//
// The last family: it ends as another user. Who does not start as root has nothing to give up.
#include "tests.h"
#include <sys/fsuid.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/sysmacros.h>

enum { CHOWN, DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER, SETUID = 7, SETPCAP, IPC_OWNER = 15, SYS_NICE = 23, MKNOD = 27 };
enum { CAPBSET_READ = 23, CAPBSET_DROP, GET_SECUREBITS = 27, SET_SECUREBITS, NO_NEW_PRIVS = 38, GET_NO_NEW_PRIVS,
    AMBIENT = 47, AMBIENT_IS_SET = 1, AMBIENT_RAISE, AMBIENT_LOWER, AMBIENT_CLEAR };
#define BIT(capability) (1ULL << (capability))
// chown, dac_override, dac_read_search, fowner, fsetid, linux_immutable, mknod, mac_override.
#define FOR_FILES (0x1fULL | BIT(9) | BIT(27) | BIT(32))

struct sets {
    unsigned long long effective, permitted, inheritable;
};

struct header {
    unsigned version;
    int process;
};

struct word {
    unsigned effective, permitted, inheritable;
};

static struct sets now(void) {
    struct header header = {0x20080522, 0};
    struct word words[2];
    CHECK(syscall(SYS_capget, &header, words) == 0);
    struct sets sets = {words[0].effective, words[0].permitted, words[0].inheritable};
    sets.effective |= (unsigned long long)words[1].effective << 32;
    sets.permitted |= (unsigned long long)words[1].permitted << 32;
    sets.inheritable |= (unsigned long long)words[1].inheritable << 32;
    return sets;
}

static long set(struct sets sets) {
    struct header header = {0x20080522, 0};
    struct word words[2] = {{sets.effective, sets.permitted, sets.inheritable},
        {sets.effective >> 32, sets.permitted >> 32, sets.inheritable >> 32}};
    return syscall(SYS_capset, &header, words);
}

// Has none of these in effect for now.
static void without(unsigned long long these) {
    struct sets sets = now();
    sets.effective = sets.permitted & ~these;
    CHECK(set(sets) == 0 && now().effective == sets.effective);
}

static int is_root(void) { return geteuid() == 0; }

static void asked(void) {
    struct header header = {1, 0}, other = {0x20080522, -5}, old = {0x19980330, getpid()};
    struct word words[2];
    CHECK(syscall(SYS_capget, &header, NULL) == 0 && header.version == 0x20080522);
    header.version = 1;
    CHECK_ERROR(syscall(SYS_capget, &header, words), EINVAL);
    CHECK_ERROR(syscall(SYS_capget, &other, words), EINVAL);
    other.process = 1 << 29;
    CHECK_ERROR(syscall(SYS_capget, &other, words), ESRCH);
    CHECK_ERROR(syscall(SYS_capset, &other, words), EPERM);
    CHECK_ERROR(syscall(SYS_capset, &header, (void *)8), EFAULT);
    words[1].permitted = 77;
    CHECK(syscall(SYS_capget, &old, words) == 0 && words[1].permitted == 77);
    CHECK_ERROR(prctl(CAPBSET_READ, 64, 0, 0, 0), EINVAL);
    CHECK_ERROR(prctl(AMBIENT, AMBIENT_IS_SET, 64, 0, 0), EINVAL);
    CHECK_ERROR(prctl(AMBIENT, 9, CHOWN, 0, 0), EINVAL);
    CHECK_ERROR(prctl(PR_SET_KEEPCAPS, 2, 0, 0, 0), EINVAL);
    CHECK_ERROR(prctl(NO_NEW_PRIVS, 0, 0, 0, 0), EINVAL);
    CHECK_ERROR(prctl(PR_SET_PDEATHSIG, 65, 0, 0, 0), EINVAL);
    int death = -1;
    CHECK(prctl(PR_SET_PDEATHSIG, SIGUSR2) == 0 && prctl(PR_GET_PDEATHSIG, &death) == 0 && death == SIGUSR2);
    CHECK(prctl(PR_SET_PDEATHSIG, 0) == 0 && prctl(PR_GET_PDEATHSIG, &death) == 0 && death == 0);
}

static void effective(void) {
    if (!is_root()) return;
    char path[] = "/tmp/capabilities-XXXXXX", *device = "/tmp/capabilities-device";
    int file = mkstemp(path);
    CHECK(file >= 0 && fchmod(file, 0) == 0 && fchown(file, 0, 0) == 0 && close(file) == 0);
    without(BIT(DAC_OVERRIDE));
    CHECK((file = open(path, O_RDONLY)) >= 0 && close(file) == 0);
    CHECK_ERROR(open(path, O_WRONLY), EACCES);
    without(BIT(DAC_OVERRIDE) | BIT(DAC_READ_SEARCH));
    CHECK_ERROR(open(path, O_RDONLY), EACCES);
    // access(2) goes by what is permitted.
    CHECK(access(path, R_OK | W_OK) == 0);
    CHECK_ERROR(faccessat(AT_FDCWD, path, R_OK, AT_EACCESS), EACCES);
    without(BIT(CHOWN));
    CHECK_ERROR(chown(path, 7, 7), EPERM);
    without(0);
    CHECK(chown(path, 7, 7) == 0);
    without(BIT(FOWNER));
    CHECK_ERROR(chmod(path, 0600), EPERM);
    without(BIT(SYS_NICE));
    CHECK_ERROR(setpriority(PRIO_PROCESS, 0, -1), EACCES);
    without(BIT(MKNOD));
    CHECK_ERROR(mknod(device, S_IFCHR | 0600, makedev(1, 3)), EPERM);
    without(BIT(SETUID));
    CHECK_ERROR(setresuid(-1, 7, -1), EPERM);
    without(0);
    int segment = shmget(IPC_PRIVATE, 1, 0);
    CHECK(segment >= 0);
    void *mapped = shmat(segment, NULL, 0);
    CHECK(mapped != (void *)-1 && shmdt(mapped) == 0);
    without(BIT(IPC_OWNER));
    CHECK_ERROR((long)shmat(segment, NULL, 0), EACCES);
    CHECK(shmctl(segment, IPC_RMID, NULL) == 0);
    without(0);
    CHECK(unlink(path) == 0);
}

static void of_users(void) {
    if (!is_root()) return;
    struct sets all = now();
    CHECK(setfsuid(7) == 0 && now().effective == (all.permitted & ~FOR_FILES) && setfsuid(-1) == 7);
    CHECK(setfsuid(0) == 7 && now().effective == all.permitted && setfsuid(-1) == 0 && setfsgid(-1) == (int)getegid());
    CHECK(setresuid(0, 7, 0) == 0 && now().effective == 0 && now().permitted == all.permitted);
    CHECK_ERROR(prctl(CAPBSET_DROP, CHOWN, 0, 0, 0), EPERM);
    CHECK(setresuid(0, 0, 0) == 0 && now().effective == all.permitted);
}

static unsigned long long in_status(const char *name) {
    char line[256];
    unsigned long long set = -1;
    FILE *status = fopen("/proc/self/status", "r");
    CHECK(status != NULL);
    while (fgets(line, sizeof line, status))
        if (strncmp(line, name, strlen(name)) == 0) set = strtoull(line + strlen(name) + 1, NULL, 16);
    fclose(status);
    return set;
}

static void kept(void) {
    if (!is_root()) return;
    struct sets all = now(), sets = all;
    CHECK(prctl(CAPBSET_READ, FOWNER, 0, 0, 0) == 1 && prctl(CAPBSET_DROP, FOWNER, 0, 0, 0) == 0);
    CHECK(prctl(CAPBSET_READ, FOWNER, 0, 0, 0) == 0 && (in_status("CapBnd") & BIT(FOWNER)) == 0);
    CHECK_ERROR(prctl(CAPBSET_DROP, 64, 0, 0, 0), EINVAL);
    sets.inheritable = BIT(FOWNER);
    CHECK_ERROR(set(sets), EPERM);
    sets.inheritable = BIT(CHOWN);
    CHECK_ERROR(prctl(AMBIENT, AMBIENT_RAISE, CHOWN, 0, 0), EPERM);
    CHECK(set(sets) == 0 && prctl(AMBIENT, AMBIENT_RAISE, CHOWN, 0, 0) == 0 && in_status("CapAmb") == BIT(CHOWN));
    CHECK(prctl(GET_SECUREBITS) == 0 && prctl(PR_GET_KEEPCAPS) == 0 && prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0);
    CHECK(prctl(GET_SECUREBITS) == 0x10 && prctl(PR_GET_KEEPCAPS) == 1);
    CHECK(prctl(PR_SET_DUMPABLE, 1) == 0 && prctl(PR_GET_DUMPABLE) == 1);
    CHECK(prctl(PR_SET_PDEATHSIG, SIGUSR2) == 0 && setresuid(7, 7, 7) == 0);
    int death = -1;
    CHECK(prctl(PR_GET_DUMPABLE) != 1 && prctl(PR_GET_PDEATHSIG, &death) == 0 && death == 0);
    CHECK(now().permitted == all.permitted && now().effective == 0 && in_status("CapAmb") == 0);
    CHECK(in_status("CapPrm") == all.permitted && in_status("CapEff") == 0 && in_status("CapInh") == BIT(CHOWN));
    CHECK_ERROR(setresuid(0, 0, 0), EPERM);
    // What is permitted comes back; what is given up does not.
    sets = (struct sets){BIT(SETPCAP), BIT(SETPCAP) | BIT(CHOWN), BIT(CHOWN)};
    CHECK(set(sets) == 0 && now().permitted == sets.permitted && now().effective == sets.effective);
    sets.permitted |= BIT(FOWNER);
    CHECK_ERROR(set(sets), EPERM);
    sets.permitted = BIT(CHOWN);
    CHECK_ERROR(set(sets), EPERM);
    CHECK(prctl(SET_SECUREBITS, 0x10 | 0x40 | 0x80) == 0 && prctl(GET_SECUREBITS) == 0xd0);
    CHECK_ERROR(prctl(AMBIENT, AMBIENT_RAISE, CHOWN, 0, 0), EPERM);
    CHECK_ERROR(prctl(SET_SECUREBITS, 0x80), EPERM);
    CHECK(prctl(SET_SECUREBITS, 0xe0) == 0);
    CHECK_ERROR(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0), EPERM);
    CHECK(prctl(NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
    CHECK(in_status("NoNewPrivs:") == 1);
    CHECK(set((struct sets){0, 0, 0}) == 0 && now().permitted == 0 && now().inheritable == 0);
    CHECK_ERROR(prctl(CAPBSET_DROP, CHOWN, 0, 0, 0), EPERM);
    CHECK_ERROR(prctl(SET_SECUREBITS, 0xe0), EPERM);
}

const struct test capability_tests[] = {{"capabilities_asked", asked}, {"capabilities_effective", effective},
    {"capabilities_of_users", of_users}, {"capabilities_kept", kept}, {NULL, NULL}};
