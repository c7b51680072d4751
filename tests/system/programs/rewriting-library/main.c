// main.c: a library that is opened and closed again and again, its system calls rewritten each time.
//
// rewriting-library LIBRARY TIMES
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef long (*function)(void);

static int fail(const char *what, int time) {
    const char *why = dlerror();
    printf("FAILED %s at time %d: %s\n", what, time, why ? why : "");
    return 1;
}

// What was written has to be gone with the library: the next one begins with the file's bytes.
static int once(const char *path, int time, int rewriting) {
    void *library = dlopen(path, RTLD_NOW);
    if (!library)
        return fail("dlopen", time);
    function ask = (function)dlsym(library, "ask"), identify = (function)dlsym(library, "identify");
    const unsigned char *site = (const unsigned char *)dlsym(library, "ask_site");
    if (!ask || !identify || !site || *site != 0xb8)
        return fail("dlsym", time);
    for (int turn = 0; turn < 20; turn++)
        if (ask() != getppid() || identify() != (long)getuid())
            return fail("a call", time);
    if (rewriting && *site != 0xe9)
        return fail("rewriting", time);
    if (dlclose(library) != 0)
        return fail("dlclose", time);
    return dlopen(path, RTLD_NOW | RTLD_NOLOAD) ? fail("going", time) : 0;
}

int main(int count, char **words) {
    int times = count > 2 ? atoi(words[2]) : 0;
    for (int time = 0; time < times; time++)
        if (once(words[1], time, getenv("REWRITTEN") != NULL))
            return 1;
    printf("%d times\n", times);
    return times == 0;
}
