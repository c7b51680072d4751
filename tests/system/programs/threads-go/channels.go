package main

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

var channelTests = []test{
	{"thousand_goroutines", thousandGoroutines},
	{"ring", ring},
	{"selecting", selecting},
	{"sieve", sieve},
	{"fan_out", fanOut},
	{"cancelling", cancelling},
	{"locked_to_threads", lockedToThreads},
}

func thousandGoroutines() {
	runtime.GOMAXPROCS(2)
	results := make(chan int)
	for index := 0; index < 1000; index++ {
		go func(index int) {
			for round := 0; round < scaled(10); round++ {
				runtime.Gosched()
			}
			results <- index
		}(index)
	}
	sum := 0
	for index := 0; index < 1000; index++ {
		sum += <-results
	}
	check(sum == 499500, "each sent its number")
	check(runtime.GOMAXPROCS(0) == 2, "two may run at once")
}

func ring() {
	first := make(chan int)
	input := first
	for index := 0; index < 1000; index++ {
		output := make(chan int)
		go func(input, output chan int) {
			for number := range input {
				output <- number + 1
			}
			close(output)
		}(input, output)
		input = output
	}
	for round := 0; round < scaled(10); round++ {
		go func(round int) { first <- round }(round)
		check(<-input == round+1000, "a thousand hands")
	}
	close(first)
	_, open := <-input
	check(!open, "the end went round too")
}

func selecting() {
	numbers, words, done := make(chan int), make(chan string, 3), make(chan struct{})
	go func() {
		for index := 0; index < scaled(500); index++ {
			select {
			case numbers <- index:
			case words <- "word":
			}
		}
		close(done)
	}()
	count := 0
	for running := true; running; {
		select {
		case <-numbers:
			count++
		case <-words:
			count++
		case <-done:
			running = false
		}
	}
	check(count+len(words) == scaled(500), "nothing was lost")
	select {
	case <-numbers:
		check(false, "nobody sends")
	default:
		check(true, "no waiting")
	}
}

func sieve() {
	source := make(chan int)
	done := make(chan struct{})
	go func() {
		for number := 2; ; number++ {
			select {
			case source <- number:
			case <-done:
				return
			}
		}
	}()
	input := source
	prime := 0
	for count := 0; count < 100; count++ {
		prime = <-input
		output := make(chan int)
		go func(input, output chan int, prime int) {
			for {
				select {
				case number := <-input:
					if number%prime == 0 {
						continue
					}
					select {
					case output <- number:
					case <-done:
						return
					}
				case <-done:
					return
				}
			}
		}(input, output, prime)
		input = output
	}
	close(done)
	check(prime == 541, "the hundredth prime")
}

func fanOut() {
	jobs, results := make(chan int, 10), make(chan int, 10)
	var workers sync.WaitGroup
	for index := 0; index < 32; index++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for job := range jobs {
				results <- job * job
			}
		}()
	}
	go func() {
		for job := 0; job < scaled(2000); job++ {
			jobs <- job
		}
		close(jobs)
		workers.Wait()
		close(results)
	}()
	sum, expected := 0, 0
	for result := range results {
		sum += result
	}
	for job := 0; job < scaled(2000); job++ {
		expected += job * job
	}
	check(sum == expected, "every job once")
}

func cancelling() {
	parent, cancel := context.WithCancel(context.Background())
	var ended int32
	var all sync.WaitGroup
	for index := 0; index < 100; index++ {
		all.Add(1)
		go func() {
			defer all.Done()
			child, stop := context.WithCancel(parent)
			defer stop()
			<-child.Done()
			atomic.AddInt32(&ended, 1)
		}()
	}
	cancel()
	all.Wait()
	check(ended == 100 && parent.Err() == context.Canceled, "all heard of it")
}

func lockedToThreads() {
	// Each needs a thread of the system of its own; those that end locked take theirs with them.
	var all sync.WaitGroup
	turn := make(chan int)
	for index := 0; index < 16; index++ {
		all.Add(1)
		go func(index int) {
			runtime.LockOSThread()
			defer all.Done()
			if index%2 == 0 {
				defer runtime.UnlockOSThread()
			}
			<-turn
		}(index)
	}
	for index := 0; index < 16; index++ {
		turn <- index
	}
	all.Wait()
	check(true, "sixteen threads")
}
