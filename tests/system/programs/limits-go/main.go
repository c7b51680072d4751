// Says how many processors there are for Go: those of the thread's set, and how many of them the scheduler uses.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	fmt.Println(runtime.NumCPU(), runtime.GOMAXPROCS(0))
}
