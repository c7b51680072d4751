package main

import (
	"context"
	"time"
)

var timeTests = []test{
	{"sleeping", sleeping},
	{"timers", timers},
	{"tickers", tickers},
	{"deadlines", deadlines},
}

func sleeping() {
	together(200, func(index int) {
		length := time.Duration(index%20) * time.Millisecond
		begin := time.Now()
		time.Sleep(length)
		if time.Since(begin) < length {
			check(false, "too early")
		}
	})
	check(true, "two hundred slept")
}

func timers() {
	begin := time.Now()
	results := make(chan int, 100)
	for index := 0; index < 100; index++ {
		index := index
		time.AfterFunc(time.Duration(index%7)*time.Millisecond, func() { results <- index })
	}
	sum := 0
	for index := 0; index < 100; index++ {
		sum += <-results
	}
	check(sum == 4950 && time.Since(begin) >= 6*time.Millisecond, "each rang once")
	stopped := time.NewTimer(time.Hour)
	check(stopped.Stop() && !stopped.Stop(), "stopped once")
	stopped.Reset(time.Millisecond)
	<-stopped.C
	select {
	case <-time.After(time.Hour):
		check(false, "an hour has passed")
	case <-time.After(time.Millisecond):
		check(true, "the shorter one")
	}
}

func tickers() {
	begin := time.Now()
	ticker := time.NewTicker(time.Millisecond)
	for round := 0; round < scaled(20); round++ {
		<-ticker.C
	}
	ticker.Stop()
	// Ticks may be dropped, so there is a least time only.
	check(time.Since(begin) >= time.Duration(scaled(20)-1)*time.Millisecond, "not too early")
}

func deadlines() {
	limited, cancel := context.WithTimeout(context.Background(), 2*time.Millisecond)
	defer cancel()
	<-limited.Done()
	check(limited.Err() == context.DeadlineExceeded, "the limit passed")
}
