package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

var lockTests = []test{
	{"mutexes", mutexes},
	{"read_write_mutexes", readWriteMutexes},
	{"conditions", conditions},
	{"once_and_maps", onceAndMaps},
	{"atomics", atomics},
}

// together runs a body in so many goroutines and waits for all.
func together(count int, body func(index int)) {
	var all sync.WaitGroup
	for index := 0; index < count; index++ {
		all.Add(1)
		go func(index int) {
			defer all.Done()
			body(index)
		}(index)
	}
	all.Wait()
}

func mutexes() {
	var mutex sync.Mutex
	first, second := 0, 0
	together(1000, func(index int) {
		for round := 0; round < scaled(50); round++ {
			mutex.Lock()
			first++
			if round == index%50 {
				runtime.Gosched()
			}
			second++
			mutex.Unlock()
		}
	})
	check(first == 1000*scaled(50) && second == first, "nobody came between")
}

func readWriteMutexes() {
	var mutex sync.RWMutex
	var wrong int32
	first, second, rounds := 0, 0, scaled(100)
	together(100, func(index int) {
		for round := 0; round < rounds; round++ {
			if (round+index)%10 == 0 {
				mutex.Lock()
				first++
				runtime.Gosched()
				second++
				mutex.Unlock()
			} else {
				mutex.RLock()
				if first != second {
					atomic.AddInt32(&wrong, 1)
				}
				mutex.RUnlock()
			}
		}
	})
	check(wrong == 0 && first == second, "no reader saw a half")
}

func conditions() {
	var mutex sync.Mutex
	condition := sync.NewCond(&mutex)
	turn := 0
	together(10, func(index int) {
		for round := 0; round < scaled(50); round++ {
			mutex.Lock()
			for turn != 10*round+index {
				condition.Wait()
			}
			turn++
			condition.Broadcast()
			mutex.Unlock()
		}
	})
	check(turn == 10*scaled(50), "in turn")
}

func onceAndMaps() {
	var once sync.Once
	var calls int32
	var shared sync.Map
	together(100, func(index int) {
		once.Do(func() { atomic.AddInt32(&calls, 1) })
		if atomic.LoadInt32(&calls) != 1 {
			check(false, "once returned too early")
		}
		shared.Store(index, index*2)
	})
	count := 0
	shared.Range(func(key, value any) bool {
		if value.(int) == 2*key.(int) {
			count++
		}
		return true
	})
	check(count == 100, "all are in the map")
}

func atomics() {
	var sum, swaps int64
	together(100, func(index int) {
		for round := 0; round < scaled(200); round++ {
			atomic.AddInt64(&sum, int64(index))
			for {
				seen := atomic.LoadInt64(&swaps)
				if atomic.CompareAndSwapInt64(&swaps, seen, seen+1) {
					break
				}
			}
		}
	})
	check(sum == int64(4950*scaled(200)) && swaps == int64(100*scaled(200)), "every one counted")
}
