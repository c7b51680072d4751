// crossing.cpp: exceptions that leave one thread and are caught in another.
#include "checks.h"

#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct numbered : std::runtime_error {
    int number;
    explicit numbered(int number) : std::runtime_error("number " + std::to_string(number)), number(number) {}
};

void by_pointer() {
    for (int round = 0; round < scaled(20); round++) {
        std::vector<std::exception_ptr> thrown(32);
        std::vector<std::thread> threads;
        for (int index = 0; index < 32; index++) {
            threads.emplace_back([&thrown, index] {
                try {
                    throw numbered(index);
                } catch (...) {
                    thrown[index] = std::current_exception();
                }
            });
        }
        for (auto &thread : threads) thread.join();
        for (int index = 0; index < 32; index++) {
            try {
                std::rethrow_exception(thrown[index]);
            } catch (const std::runtime_error &error) {
                CHECK(error.what() == "number " + std::to_string(index));
            }
        }
    }
}

void one_for_all() {
    // One exception object, thrown again in many threads at once: its count of references is theirs together.
    std::exception_ptr shared = std::make_exception_ptr(numbered(77));
    std::atomic<int> caught{0};
    std::vector<std::thread> threads;
    for (int index = 0; index < 16; index++) {
        threads.emplace_back([shared, &caught] {
            for (int round = 0; round < scaled(200); round++) {
                try {
                    std::rethrow_exception(shared);
                } catch (const numbered &error) {
                    caught += error.number == 77;
                }
            }
        });
    }
    for (auto &thread : threads) thread.join();
    CHECK(caught == 16 * scaled(200));
}

int fail_when_odd(int number) {
    if (number % 2) throw numbered(number);
    return number * number;
}

void by_async() {
    std::vector<std::future<int>> futures;
    for (int number = 0; number < 40; number++)
        futures.push_back(std::async(number % 4 < 2 ? std::launch::async : std::launch::deferred, fail_when_odd, number));
    for (int number = 0; number < 40; number++) {
        try {
            int result = futures[number].get();
            CHECK(number % 2 == 0 && result == number * number);
        } catch (const numbered &error) {
            CHECK(number % 2 == 1 && error.number == number);
        }
    }
}

void by_promise() {
    for (int round = 0; round < scaled(50); round++) {
        std::promise<std::unique_ptr<int>> promise;
        auto future = promise.get_future();
        std::thread thread([promise = std::move(promise), round]() mutable {
            if (round % 2) promise.set_exception(std::make_exception_ptr(numbered(round)));
            else promise.set_value(std::make_unique<int>(round));
        });
        try {
            CHECK(*future.get() == round && round % 2 == 0);
        } catch (const numbered &error) {
            CHECK(error.number == round && round % 2 == 1);
        }
        thread.join();
    }
}

void broken_promise() {
    std::future<int> future;
    std::thread([&future] { future = std::promise<int>().get_future(); }).join();
    try {
        future.get();
        CHECK(!"a broken promise has no value");
    } catch (const std::future_error &error) {
        CHECK(error.code() == std::future_errc::broken_promise);
    }
}

void packaged_task() {
    std::packaged_task<int(int)> task(fail_when_odd);
    std::shared_future<int> future = task.get_future().share();
    std::vector<std::thread> waiters;
    std::atomic<int> caught{0};
    for (int index = 0; index < 8; index++) {
        waiters.emplace_back([future, &caught] {
            try {
                future.get();
            } catch (const numbered &error) {
                caught += error.number == 5;
            }
        });
    }
    std::thread(std::move(task), 5).join();
    for (auto &waiter : waiters) waiter.join();
    CHECK(caught == 8);
}

} // namespace

const test crossing_tests[] = {
    {"by_pointer", by_pointer}, {"one_for_all", one_for_all},       {"by_async", by_async},
    {"by_promise", by_promise}, {"broken_promise", broken_promise}, {"packaged_task", packaged_task},
    {nullptr, nullptr},
};
