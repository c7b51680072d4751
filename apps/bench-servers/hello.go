// A hello of Go's net/http, as `whittle bench servers` asks it: at a port, by so many listeners of it.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"syscall"
)

// SO_REUSEPORT of Linux (socket(7)), which the package syscall does not name.
const reusePort = 15

func share(_, _ string, connection syscall.RawConn) error {
	var failure error
	err := connection.Control(func(socket uintptr) {
		failure = syscall.SetsockoptInt(int(socket), syscall.SOL_SOCKET, reusePort, 1)
	})
	if err != nil {
		return err
	}
	return failure
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("hello PORT LISTENERS")
	}
	listeners, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(answer http.ResponseWriter, _ *http.Request) {
		answer.Write([]byte("hello, world\n"))
	})
	ended := make(chan error)
	for range listeners {
		listen := net.ListenConfig{}
		if listeners > 1 {
			listen.Control = share
		}
		listener, err := listen.Listen(context.Background(), "tcp4", ":"+os.Args[1])
		if err != nil {
			log.Fatal(err)
		}
		go func() { ended <- http.Serve(listener, nil) }()
	}
	log.Fatal(<-ended)
}
