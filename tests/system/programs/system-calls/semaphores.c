// semaphores.c: System V semaphores (semget(2), semop(2), semctl(2)).
#include "tests.h"
#include <sys/ipc.h>
#include <sys/sem.h>

#ifndef SEM_STAT_ANY
#define SEM_STAT_ANY 20
#endif

union argument {
    int value;
    struct semid_ds *status;
    unsigned short *values;
    struct seminfo *information;
};

static int control(int set, int number, int command, long argument) {
    return semctl(set, number, command, (union argument){.values = (void *)argument});
}

static int made(int count) {
    int set = semget(IPC_PRIVATE, count, 0600);
    CHECK(set >= 0);
    return set;
}

static int change(int set, int number, int by, int flags) {
    return semop(set, &(struct sembuf){.sem_num = number, .sem_op = by, .sem_flg = flags}, 1);
}

static int value(int set, int number) { return control(set, number, GETVAL, 0); }

static void removed(int set) { CHECK(control(set, 0, IPC_RMID, 0) == 0); }

static void keys(void) {
    key_t key = getpid() << 8 | 1;
    int set = semget(key, 3, IPC_CREAT | IPC_EXCL | 0600);
    CHECK(set >= 0 && semget(key, 0, 0) == set && semget(key, 3, IPC_CREAT | 0600) == set);
    CHECK_ERROR(semget(key, 3, IPC_CREAT | IPC_EXCL | 0600), EEXIST);
    CHECK_ERROR(semget(key, 4, 0600), EINVAL);
    CHECK_ERROR(semget(key + 1, 1, 0600), ENOENT);
    CHECK_ERROR(semget(IPC_PRIVATE, 0, 0600), EINVAL);
    CHECK_ERROR(semget(IPC_PRIVATE, -1, 0600), EINVAL);
    CHECK_ERROR(semget(IPC_PRIVATE, 32001, 0600), EINVAL);
    removed(set);
    CHECK_ERROR(control(set, 0, GETVAL, 0), EINVAL);
    CHECK_ERROR(change(set, 0, 1, 0), EINVAL);
}

static void values(void) {
    int set = made(3);
    unsigned short all[3] = {4, 5, 6}, found[3];
    CHECK(control(set, 0, SETALL, (long)all) == 0 && control(set, 0, GETALL, (long)found) == 0);
    CHECK(memcmp(all, found, sizeof all) == 0 && control(set, 1, SETVAL, 9) == 0 && value(set, 1) == 9);
    CHECK_ERROR(control(set, 1, SETVAL, 32768), ERANGE);
    CHECK_ERROR(control(set, 1, SETVAL, -1), ERANGE);
    CHECK_ERROR(control(set, 3, SETVAL, 1), EINVAL);
    CHECK_ERROR(control(set, -1, GETVAL, 0), EINVAL);
    all[2] = 40000;
    CHECK_ERROR(control(set, 0, SETALL, (long)all), ERANGE);
    CHECK_ERROR(control(set, 0, GETALL, 8), EFAULT);
    CHECK_ERROR(control(set, 0, 77, 0), EINVAL);
    CHECK(control(set, 0, GETPID, 0) == getpid() && control(set, 0, GETNCNT, 0) == 0);
    struct sembuf operations[] = {{0, -4, 0}, {0, 0, 0}, {1, 1, 0}, {2, -6, 0}};
    CHECK(semop(set, operations, 4) == 0 && value(set, 0) == 0 && value(set, 1) == 10 && value(set, 2) == 0);
    // All or nothing.
    struct sembuf undone[] = {{1, -10, 0}, {0, 7, 0}, {2, -1, IPC_NOWAIT}};
    CHECK_ERROR(semop(set, undone, 3), EAGAIN);
    CHECK(value(set, 0) == 0 && value(set, 1) == 10);
    CHECK_ERROR(change(set, 1, 32767, 0), ERANGE);
    CHECK_ERROR(change(set, 3, 1, 0), EFBIG);
    CHECK_ERROR(semop(set, operations, 0), EINVAL);
    CHECK_ERROR(semop(set, operations, 501), E2BIG);
    CHECK_ERROR(semop(set, (void *)8, 1), EFAULT);
    CHECK_ERROR(change(set, 1, 0, IPC_NOWAIT), EAGAIN);
    CHECK(change(set, 0, 0, IPC_NOWAIT) == 0);
    removed(set);
}

static void looks(void) {
    int set = made(7);
    struct semid_ds status;
    struct seminfo information;
    CHECK(control(set, 0, IPC_STAT, (long)&status) == 0 && status.sem_nsems == 7 && status.sem_otime == 0);
    CHECK(status.sem_ctime > 0 && status.sem_perm.mode == 0600 && status.sem_perm.cuid == geteuid());
    CHECK(change(set, 1, 1, 0) == 0 && control(set, 0, IPC_STAT, (long)&status) == 0 && status.sem_otime > 0);
    status.sem_perm.mode = 0640;
    CHECK(control(set, 0, IPC_SET, (long)&status) == 0);
    CHECK(control(set & 0x7fff, 0, SEM_STAT, (long)&status) == set && status.sem_perm.mode == 0640);
    CHECK(control(set & 0x7fff, 0, SEM_STAT_ANY, (long)&status) == set);
    int highest = control(0, 0, IPC_INFO, (long)&information);
    CHECK(highest >= 0 && information.semmni == 32000 && information.semmsl == 32000 && information.semopm == 500);
    CHECK(information.semmns == 1024000000 && information.semvmx == 32767 && information.semaem == 32767);
    CHECK(information.semume == 500 && information.semusz == 20 && information.semmnu == 1024000000);
    CHECK(control(0, 0, SEM_INFO, (long)&information) == highest && information.semusz >= 1);
    CHECK(information.semaem >= 7);
    char line[256];
    int number = -1, mode = 0, count = 0;
    FILE *list = fopen("/proc/sysvipc/sem", "r");
    CHECK(list && fgets(line, sizeof line, list) && strncmp(line, "       key      semid perms      nsems", 38) == 0);
    while (number != set && fgets(line, sizeof line, list)) sscanf(line, "%*d %d %o %d", &number, &mode, &count);
    CHECK(number == set && mode == 0640 && count == 7 && strlen(line) == 85 && fclose(list) == 0);
    removed(set);
}

struct wish {
    int set, number, by, flags, error;
    pthread_t thread;
    _Atomic int done;
};

static void *wishes(void *argument) {
    struct wish *wish = argument;
    errno = 0;
    int result = change(wish->set, wish->number, wish->by, wish->flags);
    wish->error = result == 0 ? 0 : errno;
    wish->done = 1;
    return NULL;
}

static void start(struct wish *wish) { wish->thread = start_thread(wishes, wish); }

static void waiting(void) {
    int set = made(2);
    struct wish two = {.set = set, .by = -2}, zero = {.set = set, .number = 1}, one = {.set = set, .by = -1};
    CHECK(control(set, 1, SETVAL, 1) == 0);
    start(&two);
    AWAIT(control(set, 0, GETNCNT, 0) == 1);
    start(&zero);
    AWAIT(control(set, 1, GETZCNT, 0) == 1);
    start(&one);
    AWAIT(control(set, 0, GETNCNT, 0) == 2);
    // One unit is not enough for the first, and does for the last.
    CHECK(change(set, 0, 1, 0) == 0);
    join_thread(one.thread);
    CHECK(one.error == 0 && !two.done && !zero.done && value(set, 0) == 0);
    CHECK(change(set, 1, -1, 0) == 0);
    join_thread(zero.thread);
    CHECK(zero.error == 0 && control(set, 0, SETVAL, 3) == 0);
    join_thread(two.thread);
    CHECK(two.error == 0 && value(set, 0) == 1 && control(set, 0, GETNCNT, 0) == 0);
    // The set goes.
    struct wish gone = {.set = set, .by = -5};
    start(&gone);
    AWAIT(control(set, 0, GETNCNT, 0) == 1);
    removed(set);
    join_thread(gone.thread);
    CHECK(gone.error == EIDRM);
}

static void nothing(int signal, siginfo_t *information, void *context) { (void)signal, (void)information, (void)context; }

static void endings(void) {
    int set = made(1);
    struct sembuf operation = {0, -1, 0};
    struct timespec limit = {0, 2000000}, wrong = {0, 1000000000};
    CHECK_ERROR(semtimedop(set, &operation, 1, &limit), EAGAIN);
    CHECK_ERROR(semtimedop(set, &operation, 1, &wrong), EINVAL);
    struct wish wish = {.set = set, .by = -1};
    handle(SIGUSR1, nothing, SA_RESTART);
    start(&wish);
    AWAIT(control(set, 0, GETNCNT, 0) == 1);
    CHECK(pthread_kill(wish.thread, SIGUSR1) == 0);
    join_thread(wish.thread);
    CHECK(wish.error == EINTR && control(set, 0, GETNCNT, 0) == 0);
    removed(set);
}

static void undoing(void) {
    int set = made(1);
    CHECK(control(set, 0, SETVAL, 32767) == 0 && change(set, 0, -32767, SEM_UNDO) == 0 && change(set, 0, 1, 0) == 0);
    CHECK_ERROR(change(set, 0, -1, SEM_UNDO), ERANGE);
    // A value that is set by hand is no longer undone.
    CHECK(control(set, 0, SETVAL, 1) == 0 && change(set, 0, -1, SEM_UNDO) == 0 && value(set, 0) == 0);
    removed(set);
}

static int turns;

static void *takes_turns(void *set) {
    for (int round = 0; round < scaled(2000); round++) {
        REQUIRE(change((int)(intptr_t)set, 0, -1, 0) == 0);
        turns++;
        REQUIRE(change((int)(intptr_t)set, 0, 1, 0) == 0);
    }
    return NULL;
}

static void exclusion(void) {
    int set = made(1);
    pthread_t threads[4];
    for (int index = 0; index < 4; index++) threads[index] = start_thread(takes_turns, (void *)(intptr_t)set);
    CHECK(change(set, 0, 1, 0) == 0);
    for (int index = 0; index < 4; index++) join_thread(threads[index]);
    CHECK(turns == 4 * scaled(2000) && value(set, 0) == 1);
    removed(set);
}

const struct test semaphore_tests[] = {{"semaphores_keys", keys}, {"semaphores_values", values},
    {"semaphores_looks", looks}, {"semaphores_waiting", waiting}, {"semaphores_endings", endings},
    {"semaphores_undoing", undoing}, {"semaphores_exclusion", exclusion}, {NULL, NULL}};
