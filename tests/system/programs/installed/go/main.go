// Goroutines, a collector, files, and calls of C from a dynamic program.
package main

// #include <math.h>
// #include <stdlib.h>
// #include <string.h>
// #cgo LDFLAGS: -lm
import "C"

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"
)

func roots(count int) float64 {
	var all sync.WaitGroup
	found := make([]float64, count)
	for n := range found {
		all.Add(1)
		go func(n int) {
			defer all.Done()
			found[n] = float64(C.sqrt(C.double(n)))
		}(n)
	}
	all.Wait()
	sum := 0.0
	for _, root := range found {
		sum += root
	}
	return sum
}

func files() (int, error) {
	folder, err := os.MkdirTemp("", "go")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "file")
	if err := os.WriteFile(path, []byte(strings.Repeat("line\n", 10000)), 0o600); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(path)
	return len(strings.Split(string(text), "\n")), err
}

func main() {
	text := C.CString("from C")
	length := C.strlen(text)
	C.free(unsafe.Pointer(text))
	lines, err := files()
	fmt.Printf("%.6f %d %d %v\n", roots(500), length, lines, err)
	for turn := 0; turn < 50; turn++ {
		_ = make([]byte, 1<<20)
	}
	runtime.GC()
	select {
	case <-time.After(20 * time.Millisecond):
	}
	fmt.Printf("%x\n", sha256.Sum256([]byte("again")))
}
