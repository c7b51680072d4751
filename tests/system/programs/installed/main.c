/* Libraries, a thread with a variable of its own, and a library that the program opens itself. */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

static __thread int own = 5;

static void *body(void *argument) {
    own += *(int *)argument;
    return (void *)(long)own;
}

int main(void) {
    pthread_t thread;
    void *result;
    int seven = 7;
    pthread_create(&thread, 0, body, &seven);
    pthread_join(thread, &result);
    void *library = dlopen("libm.so.6", RTLD_NOW);
    double (*root)(double) = (double (*)(double))dlsym(library, "sqrt");
    const char *missing = dlsym(library, "nothing") ? "found" : dlerror() ? "not there" : "no word";
    printf("%ld %d %.3f %s\n", (long)result, own, root(2), missing);
    return 0;
}
