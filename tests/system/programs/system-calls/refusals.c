// refusals.c: what a program in a container without privileges is refused. Linux grants some of it to root, so these
// are held to what is promised (elements/linux-abi/src/refused.rs) only where no Linux stands below.
#include "tests.h"
#include <sys/wait.h>

static void children(void) {
    siginfo_t information;
    CHECK_ERROR(wait(NULL), ECHILD);
    CHECK_ERROR(waitpid(getpid(), NULL, WNOHANG), ECHILD);
    CHECK_ERROR(waitid(P_ALL, 0, &information, WEXITED), ECHILD);
    CHECK_ERROR(waitid(P_ALL, 0, &information, 0), EINVAL);
    CHECK(kill(getpid(), 0) == 0 && kill(0, 0) == 0);
}

static void names_without_attributes(void) {
    char value[8];
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK(syscall(SYS_flistxattr, ends[0], value, sizeof value) <= 0);
    CHECK_ERROR(syscall(SYS_getxattr, "/nowhere", "user.a", value, sizeof value), ENOENT);
    CHECK_ERROR(syscall(SYS_fgetxattr, -1, "user.a", value, sizeof value), EBADF);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void unknown_calls(void) {
    CHECK_ERROR(syscall(9999), ENOSYS);
    CHECK_ERROR(syscall(SYS_create_module, "x", 1), ENOSYS);
    CHECK_ERROR(syscall(SYS_pkey_free, 99), EINVAL);
}

const struct test refusal_tests[] = {
    {"refusals_children", children},
    {"refusals_names_without_attributes", names_without_attributes},
    {"refusals_unknown_calls", unknown_calls},
    {NULL, NULL},
};
