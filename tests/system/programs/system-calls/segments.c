// segments.c: System V shared memory (shmget(2), shmat(2), shmdt(2), shmctl(2)).
#include "tests.h"
#include <sys/shm.h>

#define PAGE 4096
#ifndef SHM_STAT_ANY
#define SHM_STAT_ANY 15
#endif

static struct shmid_ds status(int segment) {
    struct shmid_ds status;
    CHECK(shmctl(segment, IPC_STAT, &status) == 0);
    return status;
}

static int made(size_t size) {
    int segment = shmget(IPC_PRIVATE, size, 0600);
    CHECK(segment >= 0);
    return segment;
}

// A key that nobody else has.
static key_t key(int number) { return getpid() << 8 | number; }

static void keys(void) {
    int segment = shmget(key(1), 3 * PAGE - 5, IPC_CREAT | IPC_EXCL | 0640);
    CHECK(segment >= 0 && shmget(key(1), 0, 0) == segment && shmget(key(1), 3 * PAGE - 5, IPC_CREAT | 0600) == segment);
    CHECK_ERROR(shmget(key(1), 1, IPC_CREAT | IPC_EXCL | 0600), EEXIST);
    CHECK_ERROR(shmget(key(1), 3 * PAGE, 0600), EINVAL);
    CHECK_ERROR(shmget(key(2), 1, 0600), ENOENT);
    CHECK_ERROR(shmget(IPC_PRIVATE, 0, 0600), EINVAL);
    CHECK_ERROR(shmget(IPC_PRIVATE, (size_t)1 << 60, 0600), ENOMEM);
    CHECK_ERROR(shmget(IPC_PRIVATE, -1UL, 0600), EINVAL);
    struct shmid_ds now = status(segment);
    CHECK(now.shm_segsz == 3 * PAGE - 5 && now.shm_nattch == 0 && now.shm_cpid == getpid() && now.shm_lpid == 0);
    CHECK(now.shm_perm.mode == 0640 && now.shm_perm.uid == geteuid() && now.shm_perm.cgid == getegid());
    CHECK(now.shm_perm.__key == key(1) && now.shm_atime == 0 && now.shm_dtime == 0 && now.shm_ctime > 0);
    CHECK(shmctl(segment, IPC_RMID, NULL) == 0);
    CHECK_ERROR(shmctl(segment, IPC_RMID, NULL), EINVAL);
    CHECK_ERROR(shmget(key(1), 0, 0), ENOENT);
}

static void attaching(void) {
    int segment = made(2 * PAGE + 1);
    char *one = shmat(segment, NULL, 0), *other = shmat(segment, NULL, SHM_RDONLY);
    CHECK(one != (void *)-1 && other != (void *)-1 && one != other);
    one[0] = 'a', one[3 * PAGE - 1] = 'z';
    CHECK(other[0] == 'a' && other[3 * PAGE - 1] == 'z' && other[PAGE] == 0);
    CHECK_ERROR(mprotect(other, PAGE, PROT_READ | PROT_WRITE), EACCES);
    CHECK(mprotect(one, PAGE, PROT_READ) == 0);
    struct shmid_ds now = status(segment);
    // Linux counts pieces of mappings, of which there is one more now.
    CHECK(now.shm_nattch == 2 || now.shm_nattch == 3);
    CHECK(now.shm_atime > 0 && now.shm_lpid == getpid() && now.shm_dtime == 0);
    // What is attached stays although it is removed, and can be attached by its number, but not found.
    CHECK(shmctl(segment, IPC_RMID, NULL) == 0 && status(segment).shm_perm.mode == (0600 | SHM_DEST));
    CHECK(shmdt(one) == 0 && status(segment).shm_nattch == 1 && status(segment).shm_dtime > 0);
    CHECK_ERROR(shmdt(one), EINVAL);
    CHECK_ERROR(shmdt(other + PAGE), EINVAL);
    CHECK_ERROR(shmdt(other + 1), EINVAL);
    CHECK((one = shmat(segment, NULL, 0)) != (void *)-1 && one[0] == 'a' && shmdt(other) == 0);
    CHECK(munmap(one, 3 * PAGE) == 0);
    CHECK_ERROR(shmctl(segment, IPC_STAT, &now), EINVAL);
    CHECK_ERROR((long)shmat(segment, NULL, 0), EINVAL);
}

static void places(void) {
    int segment = made(2 * PAGE);
    char *room = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(room != MAP_FAILED);
    CHECK_ERROR((long)shmat(segment, room, 0), EINVAL);
    CHECK_ERROR((long)shmat(segment, room + 1, SHM_REMAP), EINVAL);
    CHECK_ERROR((long)shmat(segment, NULL, SHM_REMAP), EINVAL);
    CHECK_ERROR((long)shmat(segment, room + 100, SHM_RND), EINVAL);
    room[0] = room[2 * PAGE] = 'x';
    CHECK(shmat(segment, room + 100, SHM_RND | SHM_REMAP) == room && room[0] == 0 && room[2 * PAGE] == 'x');
    CHECK(munmap(room + PAGE, PAGE) == 0 && status(segment).shm_nattch == 1);
    CHECK(shmdt(room) == 0 && status(segment).shm_nattch == 0);
    // What has moved is detached where it is.
    CHECK(shmat(segment, room, 0) == room);
    char *moved = mremap(room, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, room + 2 * PAGE);
    CHECK(moved == room + 2 * PAGE && status(segment).shm_nattch == 1);
    CHECK_ERROR(shmdt(room), EINVAL);
    CHECK(shmdt(moved) == 0 && shmctl(segment, IPC_RMID, NULL) == 0);
    CHECK_ERROR((long)shmat(-1, NULL, 0), EINVAL);
}

static void executed(void) {
    int segment = made(PAGE);
    unsigned char code[] = {0xb8, 42, 0, 0, 0, 0xc3}; // mov $42, %eax; ret
    if (geteuid() != 0) CHECK_ERROR((long)shmat(segment, NULL, SHM_EXEC), EACCES);
    struct shmid_ds now = status(segment);
    now.shm_perm.mode = 0700;
    CHECK(shmctl(segment, IPC_SET, &now) == 0);
    unsigned char *bytes = shmat(segment, NULL, SHM_EXEC);
    CHECK(bytes != (void *)-1);
    memcpy(bytes, code, sizeof code);
    CHECK(((int (*)(void))bytes)() == 42);
    CHECK(shmdt(bytes) == 0 && shmctl(segment, IPC_RMID, NULL) == 0);
}

static void looks(void) {
    int segment = made(5 * PAGE);
    struct shminfo limits;
    struct shm_info use;
    struct shmid_ds now;
    int highest = shmctl(0, IPC_INFO, (struct shmid_ds *)&limits);
    CHECK(highest >= 0 && limits.shmmin == 1 && limits.shmmni == 4096 && limits.shmmax == -1UL - (1 << 24));
    CHECK(limits.shmall == limits.shmmax && limits.shmseg == 4096);
    CHECK(shmctl(0, SHM_INFO, (struct shmid_ds *)&use) == highest && use.used_ids >= 1 && use.shm_tot >= 5);
    CHECK(shmctl(segment & 0x7fff, SHM_STAT, &now) == segment && now.shm_segsz == 5 * PAGE);
    CHECK(shmctl(segment & 0x7fff, SHM_STAT_ANY, &now) == segment);
    CHECK(shmctl(segment, SHM_LOCK, NULL) == 0 && status(segment).shm_perm.mode == (0600 | SHM_LOCKED));
    CHECK(shmctl(segment, SHM_UNLOCK, NULL) == 0 && status(segment).shm_perm.mode == 0600);
    CHECK_ERROR(shmctl(segment, 99, &now), EINVAL);
    CHECK_ERROR(shmctl(segment, IPC_STAT, (void *)8), EFAULT);
    CHECK_ERROR(shmctl(segment, IPC_SET, (void *)8), EFAULT);
    char line[256], *mapped = shmat(segment, NULL, 0);
    mapped[0] = 1;
    FILE *list = fopen("/proc/sysvipc/shm", "r");
    long size = 0, attached = 0, resident = 0;
    int number = -1, mode = 0;
    CHECK(list && fgets(line, sizeof line, list) && strncmp(line, "       key      shmid perms      ", 33) == 0);
    while (number != segment && fgets(line, sizeof line, list))
        sscanf(line, "%*d %d %o %ld %*d %*d %ld %*d %*d %*d %*d %*d %*d %*d %ld", &number, &mode, &size, &attached,
               &resident);
    CHECK(number == segment && mode == 0600 && size == 5 * PAGE && attached == 1 && resident == PAGE);
    CHECK(fclose(list) == 0 && strlen(line) == 170);
    // It has a name among the mappings.
    char name[] = "/SYSV00000000 (deleted)";
    CHECK((list = fopen("/proc/self/maps", "r")));
    while (fgets(line, sizeof line, list) && !strstr(line, name))
        ;
    CHECK(strstr(line, name) && strstr(line, " rw-s ") && strtoul(line, NULL, 16) == (unsigned long)mapped);
    fclose(list);
    CHECK(shmctl(segment, IPC_RMID, NULL) == 0 && shmdt(mapped) == 0);
}

static void *sees(void *bytes) {
    volatile char *shared = bytes;
    AWAIT(shared[0] == 1);
    shared[1] = 2;
    return NULL;
}

static void of_threads(void) {
    int segment = made(PAGE);
    volatile char *one = shmat(segment, NULL, 0), *other = shmat(segment, NULL, 0);
    pthread_t thread = start_thread(sees, (void *)other);
    one[0] = 1;
    join_thread(thread);
    CHECK(one[1] == 2 && shmdt((void *)one) == 0 && shmdt((void *)other) == 0 && status(segment).shm_nattch == 0);
    CHECK(shmctl(segment, IPC_RMID, NULL) == 0);
}

static void many(void) {
    enum { COUNT = 300 };
    static int segments[COUNT];
    static char *places[COUNT];
    for (int index = 0; index < COUNT; index++) {
        REQUIRE((segments[index] = shmget(IPC_PRIVATE, PAGE, 0600)) >= 0);
        REQUIRE((places[index] = shmat(segments[index], NULL, 0)) != (void *)-1);
        *places[index] = (char)index;
    }
    for (int index = 0; index < COUNT; index++) {
        REQUIRE(*places[index] == (char)index);
        REQUIRE(shmdt(places[index]) == 0 && shmctl(segments[index], IPC_RMID, NULL) == 0);
        for (int other = 0; other < index; other++) REQUIRE(segments[other] != segments[index]);
    }
    CHECK(1);
}

const struct test segment_tests[] = {{"segments_keys", keys}, {"segments_attaching", attaching},
    {"segments_places", places}, {"segments_executed", executed}, {"segments_looks", looks},
    {"segments_of_threads", of_threads}, {"segments_many", many}, {NULL, NULL}};
