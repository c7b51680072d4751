package main

import (
	"errors"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

var faultTests = []test{
	{"recovering", recovering},
	{"nil_dereference", nilDereference},
	{"division", division},
	{"preemption_of_a_tight_loop", preemptionOfATightLoop},
	{"signals", signals},
}

// caught runs a function and gives what it panicked with.
func caught(body func()) (reason any) {
	defer func() { reason = recover() }()
	body()
	return nil
}

func recovering() {
	var all sync.WaitGroup
	var right int32
	for index := 0; index < 100; index++ {
		all.Add(1)
		go func(index int) {
			defer all.Done()
			if caught(func() { panic(index) }) == any(index) {
				atomic.AddInt32(&right, 1)
			}
		}(index)
	}
	all.Wait()
	check(right == 100, "each caught its own")
	reason, isError := caught(func() { var empty []int; _ = empty[len(os.Args)+5] }).(runtime.Error)
	check(isError && strings.Contains(reason.Error(), "index out of range"), "a slice's bounds")
	check(caught(func() { close((chan int)(nil)) }) != nil, "a channel that is none")
}

type pair struct{ first, second int }

//go:noinline
func read(pointer *pair) int { return pointer.second }

func nilDereference() {
	var all sync.WaitGroup
	var right int32
	for index := 0; index < 50; index++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for round := 0; round < scaled(20); round++ {
				reason, isError := caught(func() { read(nil) }).(runtime.Error)
				if isError && strings.Contains(reason.Error(), "nil pointer dereference") {
					atomic.AddInt32(&right, 1)
				}
			}
		}()
	}
	all.Wait()
	check(int(right) == 50*scaled(20), "a fault becomes a panic")
}

//go:noinline
func divide(left, right int) int { return left / right }

func division() {
	reason, isError := caught(func() { divide(1, 0) }).(error)
	check(isError && strings.Contains(reason.Error(), "divide by zero"), "an error")
	var wanted runtime.Error
	check(errors.As(reason, &wanted), "of the run-time system")
}

func preemptionOfATightLoop() {
	// Loops without a call in them: only a signal can stop them, and the collector must.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	var stop int32
	var all sync.WaitGroup
	for index := 0; index < 2; index++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for count := uint64(0); atomic.LoadInt32(&stop) == 0; count++ {
			}
		}()
	}
	for round := 0; round < scaled(3); round++ {
		runtime.Gosched()
		runtime.GC()
	}
	atomic.StoreInt32(&stop, 1)
	all.Wait()
	check(true, "the collector stopped them")
}

func signals() {
	got := make(chan os.Signal, 10)
	signal.Notify(got, syscall.SIGUSR1)
	for round := 0; round < scaled(20); round++ {
		check(syscall.Kill(syscall.Getpid(), syscall.SIGUSR1) == nil, "sent")
		check(<-got == syscall.SIGUSR1, "came")
	}
	signal.Stop(got)
}
