package main

import (
	"runtime"
	"runtime/debug"
	"sync"
)

var collectorTests = []test{
	{"under_pressure", underPressure},
	{"finalizers", finalizers},
	{"pools", pools},
	{"stacks_that_grow", stacksThatGrow},
}

type tree struct{ left, right *tree }

func grow(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{grow(depth - 1), grow(depth - 1)}
}

func (node *tree) size() int {
	if node == nil {
		return 0
	}
	return 1 + node.left.size() + node.right.size()
}

func underPressure() {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	keep := grow(12)
	var all sync.WaitGroup
	for index := 0; index < 8; index++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for round := 0; round < scaled(40); round++ {
				if grow(9).size() != 1023 {
					check(false, "a tree lost its leaves")
				}
			}
		}()
	}
	all.Wait()
	runtime.GC()
	runtime.ReadMemStats(&after)
	check(keep.size() == 8191, "what is kept is whole")
	check(after.NumGC > before.NumGC, "the collector ran")
}

func finalizers() {
	done := make(chan int, 50)
	for index := 0; index < 50; index++ {
		block := make([]byte, 1000)
		runtime.SetFinalizer(&block[0], func(*byte) { done <- 1 })
	}
	// One object may stay on a stack: most of them are enough.
	for count := 0; count < 40; {
		runtime.GC()
		for waiting := true; waiting; {
			select {
			case <-done:
				count++
			default:
				waiting = false
			}
		}
	}
	check(true, "finalizers ran")
}

func pools() {
	pool := sync.Pool{New: func() any { return new([256]int) }}
	var all sync.WaitGroup
	for index := 0; index < 16; index++ {
		all.Add(1)
		go func(index int) {
			defer all.Done()
			for round := 0; round < scaled(500); round++ {
				block := pool.Get().(*[256]int)
				block[round%256] = index
				if round%100 == 0 {
					runtime.Gosched()
				}
				if block[round%256] != index {
					check(false, "two had the same block")
				}
				pool.Put(block)
			}
		}(index)
	}
	all.Wait()
	check(true, "each had its own")
}

func dive(depth int) int {
	var frame [64]int
	frame[depth%64] = depth
	if depth == 0 {
		return 0
	}
	return dive(depth-1) + frame[depth%64] - depth + 1
}

func stacksThatGrow() {
	results := make(chan int)
	for index := 0; index < 32; index++ {
		go func() { results <- dive(5000) }()
	}
	for index := 0; index < 32; index++ {
		check(<-results == 5000, "all the way down")
	}
}
