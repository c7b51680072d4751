// unwinding.cpp: stacks unwound in many threads at once, with destructors, nested exceptions and cancellation.
#include "checks.h"

#include <csignal>
#include <exception>
#include <pthread.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

thread_local int alive;

struct counted {
    counted() { alive++; }
    counted(const counted &) = delete;
    ~counted() { alive--; }
};

[[gnu::noinline]] long dive(int depth, int bottom) {
    counted here;
    if (depth == bottom) throw depth;
    return dive(depth + 1, bottom) + alive;
}

void together() {
    // Many unwind at once: the tables of frames are shared, and found through dl_iterate_phdr.
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0}, caught{0};
    for (int index = 0; index < 32; index++) {
        threads.emplace_back([&, index] {
            for (int round = 0; round < scaled(100); round++) {
                try {
                    dive(0, index + 1);
                } catch (int depth) {
                    caught++;
                    wrong += depth != index + 1 || alive != 0;
                }
            }
        });
    }
    for (auto &thread : threads) thread.join();
    CHECK(caught == 32 * scaled(100) && wrong == 0);
}

[[gnu::noinline]] void nest(int level) {
    try {
        if (level == 0) throw std::out_of_range("bottom");
        nest(level - 1);
    } catch (...) {
        std::throw_with_nested(std::runtime_error("level " + std::to_string(level)));
    }
}

int depth_of(const std::exception &error) {
    try {
        std::rethrow_if_nested(error);
    } catch (const std::exception &inner) {
        return 1 + depth_of(inner);
    }
    return std::string(error.what()) == "bottom" ? 0 : -1000;
}

void nested() {
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int index = 0; index < 16; index++) {
        threads.emplace_back([&right, index] {
            try {
                nest(index);
            } catch (const std::exception &error) {
                right += depth_of(error) == index + 1;
            }
        });
    }
    for (auto &thread : threads) thread.join();
    CHECK(right == 16);
}

struct throws_while_unwinding {
    bool &seen;
    ~throws_while_unwinding() {
        try {
            dive(0, 3);
        } catch (int depth) {
            seen = depth == 3 && std::uncaught_exceptions() == 1;
        }
    }
};

void within_unwinding() {
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int index = 0; index < 16; index++) {
        threads.emplace_back([&right] {
            bool seen = false;
            try {
                throws_while_unwinding guard{seen};
                throw 'x';
            } catch (char letter) {
                right += seen && letter == 'x' && std::uncaught_exceptions() == 0;
            }
        });
    }
    for (auto &thread : threads) thread.join();
    CHECK(right == 16);
}

std::atomic<int> destroyed, ready;

struct noted {
    ~noted() { destroyed++; }
};

void *be_cancelled(void *) {
    noted first;
    try {
        noted second;
        ready++;
        for (;;) pause();
    } catch (...) {
        // A cancelled thread unwinds as if by an exception, which must go on.
        destroyed += 10;
        throw;
    }
}

void cancelled() {
    for (int round = 0; round < scaled(20); round++) {
        pthread_t thread;
        void *result = nullptr;
        destroyed = ready = 0;
        CHECK(pthread_create(&thread, nullptr, be_cancelled, nullptr) == 0);
        while (!ready) std::this_thread::yield();
        CHECK(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0);
        CHECK(result == PTHREAD_CANCELED && destroyed == 12);
    }
}

[[gnu::noinline]] void from_handler(int, siginfo_t *information, void *) {
    throw static_cast<void *>(information->si_addr);
}

volatile int *volatile nowhere = reinterpret_cast<volatile int *>(64);

[[gnu::noinline]] void touch() {
    counted here;
    *nowhere = 1;
}

void out_of_a_fault() {
    // With -fnon-call-exceptions a handler may throw through the frame of a signal: the unwinder reads that frame.
    struct sigaction action = {}, old;
    action.sa_sigaction = from_handler;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    CHECK(sigaction(SIGSEGV, &action, &old) == 0);
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int index = 0; index < 8; index++) {
        threads.emplace_back([&right] {
            for (int round = 0; round < scaled(50); round++) {
                try {
                    touch();
                } catch (void *address) {
                    right += address == reinterpret_cast<void *>(64) && alive == 0;
                }
            }
        });
    }
    for (auto &thread : threads) thread.join();
    CHECK(right == 8 * scaled(50) && sigaction(SIGSEGV, &old, nullptr) == 0);
}

[[gnu::noinline]] void from_call_handler(int number, siginfo_t *, void *) {
    throw number;
}

// The library promises that it throws nothing: not so if a handler does.
long (*volatile call)(long, ...) = syscall;

// Handlers of signals that come with a call throw out of it: the unwinder sees where the call is in the program.
void out_of_a_call() {
    struct sigaction action = {}, old;
    action.sa_sigaction = from_call_handler;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    CHECK(sigaction(SIGUSR1, &action, &old) == 0);
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int index = 0; index < 4; index++) {
        threads.emplace_back([&right] {
            for (int round = 0; round < scaled(200); round++) {
                try {
                    counted here;
                    call(SYS_tgkill, getpid(), gettid(), SIGUSR1);
                } catch (int number) {
                    right += number == SIGUSR1;
                }
            }
        });
    }
    for (auto &thread : threads) thread.join();
    CHECK(right == 4 * scaled(200) && alive == 0 && sigaction(SIGUSR1, &old, nullptr) == 0);
}

} // namespace

const test unwinding_tests[] = {
    {"together", together},   {"nested", nested},                 {"within_unwinding", within_unwinding},
    {"cancelled", cancelled}, {"out_of_a_fault", out_of_a_fault}, {"out_of_a_call", out_of_a_call},
    {nullptr, nullptr},
};
