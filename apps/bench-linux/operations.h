/* What is measured: each operation made ready once and then repeated. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stdint.h>
#include <sys/syscall.h>

struct operation {
    const char *name;
    /* Makes it ready; fails by `need`. */
    void (*ready)(void);
    /* Comes before each sample and is not measured; may be null. */
    void (*before)(uint64_t rounds);
    /* The operation, so many times. */
    void (*repeat)(uint64_t rounds);
    /* Comes behind the last sample; may be null. */
    void (*after)(void);
};

/* Groups, each ended by an operation without a name. */
extern const struct operation processor_calls[], file_calls[], memory_calls[], event_calls[], thread_operations[];
extern const struct operation tree_calls[], database_calls[], share_calls[], socket_calls[];
extern const struct operation fork_calls[], process_operations[], shell_operations[], thread_creation[];
extern const struct operation send_calls[], large_send_calls[], wait_calls[], usual_calls[], big_calls[], huge_calls[];

/* The name by which this program was started. */
extern char program_name[];

/* The names of two files and of a folder in memory. */
extern char file_name[], other_name[], folder_name[];

/* The name of a large file that the host shares. */
extern char share_name[];

/* The cheapest call: what a trap costs. */
void getppid_direct(uint64_t rounds);

/* The time stamp counter. */
uint64_t ticks(void);

/* See guarded.c; ends the program where the kernel refuses. */
void guard(void);

/* See first.c; the exit status. */
int first_output(const char *folder, char **program);

/* Says that the operation is missing and goes on with the next one; only for the first thread. */
_Noreturn void missing(int error);

/* A call that has to succeed: a failing one would be quick and its figure a lie. */
long need(long result);

/* The same for functions that return an error number. */
void need_zero(int error);

/* The number and the instruction `syscall`, as a C library's wrapper ends; the result as the kernel gives it
   (syscall(2)). */
#define direct(number, first, second, third)                                             \
    ({                                                                                   \
        long result_;                                                                    \
        asm volatile("mov %1, %%eax\n\tsyscall"                                          \
                     : "=a"(result_)                                                     \
                     : "i"(number), "D"((long)(first)), "S"((long)(second)), "d"((long)(third)) \
                     : "rcx", "r11", "memory");                                          \
        result_;                                                                         \
    })

/* The loop of every operation. */
#define REPEAT(rounds) for (uint64_t round_ = (rounds); round_ != 0; round_--)

#endif
