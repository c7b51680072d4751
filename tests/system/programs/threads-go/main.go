// Goroutines, channels, timers and the collector, in a static Go program that nothing was changed in.
//
// threads-go [--work PERCENT] [TEST...] prints `ok NAME` for each test and last `threads-go: N checks passed`; a check
// that fails is named and the status is 1. Nothing depends on how long a thing takes.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
)

type test struct {
	name string
	run  func()
}

var (
	passed   int64
	work     = 100
	testName string
)

// check counts a condition that holds, and ends the program with these words if it does not.
func check(holds bool, words string) {
	if !holds {
		fmt.Printf("threads-go: FAILED %s: %s\n", testName, words)
		os.Exit(1)
	}
	atomic.AddInt64(&passed, 1)
}

// scaled is this many rounds at the usual work of 100 percent, at least one.
func scaled(rounds int) int {
	if count := rounds * work / 100; count > 0 {
		return count
	}
	return 1
}

func wanted(name string, words []string) bool {
	for _, word := range words {
		if word == name {
			return true
		}
	}
	return len(words) == 0
}

func main() {
	words := os.Args[1:]
	if len(words) > 1 && words[0] == "--work" {
		work, _ = strconv.Atoi(words[1])
		words = words[2:]
	}
	for _, family := range [][]test{channelTests, collectorTests, faultTests, lockTests, timeTests} {
		for _, test := range family {
			if wanted(test.name, words) {
				testName = test.name
				test.run()
				fmt.Println("ok", test.name)
			}
		}
	}
	fmt.Printf("threads-go: %d checks passed\n", atomic.LoadInt64(&passed))
}
