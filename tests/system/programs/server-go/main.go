// A server of net/http, unmodified: it answers with the path that it was asked for, or with what was sent to it.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
)

func answer(writer http.ResponseWriter, request *http.Request) {
	if request.Method == http.MethodPost {
		io.Copy(writer, request.Body)
		return
	}
	fmt.Fprintf(writer, "go%s", request.URL.Path)
}

func main() {
	http.HandleFunc("/", answer)
	listener, err := net.Listen("tcp", ":"+os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ready")
	log.Fatal(http.Serve(listener, nil))
}
