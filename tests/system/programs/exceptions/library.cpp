// library.cpp: what else the C++ library builds on threads: conditions, once, thread-locals, clocks, atomic waiting.
#include "checks.h"

#include <barrier>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <latch>
#include <map>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

void bounded_queue() {
    std::mutex mutex;
    std::condition_variable not_full, not_empty;
    std::deque<int> queue;
    long sum = 0;
    const int rounds = scaled(2000);
    std::vector<std::thread> threads;
    for (int index = 0; index < 4; index++) {
        threads.emplace_back([&] {
            for (int round = 1; round <= rounds; round++) {
                std::unique_lock lock(mutex);
                not_full.wait(lock, [&] { return queue.size() < 8; });
                queue.push_back(round);
                not_empty.notify_one();
            }
        });
        threads.emplace_back([&] {
            for (int round = 0; round < rounds; round++) {
                std::unique_lock lock(mutex);
                not_empty.wait(lock, [&] { return !queue.empty(); });
                sum += queue.front();
                queue.pop_front();
                not_full.notify_one();
            }
        });
    }
    for (auto &thread : threads) thread.join();
    CHECK(sum == 4L * rounds * (rounds + 1) / 2 && queue.empty());
}

std::atomic<int> made, unmade;

struct local {
    int value = 42;
    std::string text = std::string(100, 'x');
    local() { made++; }
    ~local() { unmade += value == 42 ? 0 : 1; }
};

thread_local local each;

void thread_locals() {
    made = unmade = 0;
    for (int round = 0; round < scaled(10); round++) {
        std::vector<std::thread> threads;
        for (int index = 0; index < 32; index++) {
            threads.emplace_back([index] {
                CHECK(each.value == 42 && each.text.size() == 100);
                each.value = 100 + index;
                std::this_thread::yield();
                CHECK(each.value == 100 + index);
            });
        }
        for (auto &thread : threads) thread.join();
        CHECK(unmade == 32 * (round + 1) && made == unmade);
    }
}

void once() {
    // The first caller fails by an exception: another one takes over.
    for (int round = 0; round < scaled(20); round++) {
        std::once_flag flag;
        std::atomic<int> tries{0}, failures{0};
        std::vector<std::thread> threads;
        for (int index = 0; index < 16; index++) {
            threads.emplace_back([&] {
                try {
                    std::call_once(flag, [&] {
                        if (tries++ < 3) throw std::runtime_error("not yet");
                    });
                } catch (const std::runtime_error &) {
                    failures++;
                }
            });
        }
        for (auto &thread : threads) thread.join();
        CHECK(tries == 4 && failures == 3);
    }
}

int &slow_static() {
    static int value = [] {
        std::this_thread::yield();
        return 7;
    }();
    return value;
}

void statics() {
    std::vector<std::thread> threads;
    std::atomic<int> sum{0};
    for (int index = 0; index < 16; index++) threads.emplace_back([&sum] { sum += slow_static(); });
    for (auto &thread : threads) thread.join();
    CHECK(sum == 112);
}

void shared_lock() {
    std::shared_mutex mutex;
    std::map<int, int> table;
    std::atomic<int> found{0};
    std::vector<std::thread> threads;
    for (int index = 0; index < 8; index++) {
        threads.emplace_back([&, index] {
            for (int round = 0; round < scaled(200); round++) {
                {
                    std::unique_lock lock(mutex);
                    table[index * 100000 + round] = round;
                }
                std::shared_lock lock(mutex);
                auto place = table.find(index * 100000 + round);
                found += place != table.end() && place->second == round;
            }
        });
    }
    for (auto &thread : threads) thread.join();
    CHECK(found == 8 * scaled(200) && table.size() == 8u * scaled(200));
}

void time_limits() {
    using namespace std::chrono_literals;
    using clock = std::chrono::steady_clock;
    std::timed_mutex mutex;
    std::condition_variable condition;
    std::mutex other;
    std::lock_guard hold(mutex);
    std::thread([&] {
        auto begin = clock::now();
        CHECK(!mutex.try_lock_for(3ms) && clock::now() - begin >= 3ms);
        std::unique_lock lock(other);
        begin = clock::now();
        CHECK(!condition.wait_for(lock, 3ms, [] { return false; }) && clock::now() - begin >= 3ms);
    }).join();
    auto begin = clock::now();
    std::this_thread::sleep_for(3ms);
    CHECK(clock::now() - begin >= 3ms);
}

void newer_tools() {
    std::counting_semaphore<8> semaphore(2);
    std::barrier barrier(8);
    std::latch latch(8);
    std::atomic<int> inside{0}, most{0}, met{0}, flag{0};
    std::vector<std::jthread> threads;
    for (int index = 0; index < 8; index++) {
        threads.emplace_back([&] {
            for (int round = 0; round < scaled(100); round++) {
                semaphore.acquire();
                int now = ++inside;
                for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) continue;
                --inside;
                semaphore.release();
                barrier.arrive_and_wait();
                met++;
            }
            latch.count_down();
            flag.wait(0);
        });
    }
    latch.wait();
    CHECK(most >= 1 && most <= 2 && met == 8 * scaled(100));
    flag = 1;
    flag.notify_all();
    threads.clear();
    std::atomic<bool> stopped{false};
    {
        std::jthread worker([&stopped](std::stop_token token) {
            while (!token.stop_requested()) std::this_thread::yield();
            stopped = true;
        });
    }
    CHECK(stopped);
}

} // namespace

const test library_tests[] = {
    {"bounded_queue", bounded_queue}, {"thread_locals", thread_locals}, {"once", once},
    {"statics", statics},             {"shared_lock", shared_lock},     {"time_limits", time_limits},
    {"newer_tools", newer_tools},     {nullptr, nullptr},
};
