// h2spec runs the HTTP/2 conformance cases of the module of that name, in strict mode, against one server.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/summerwind/h2spec"
	"github.com/summerwind/h2spec/config"
)

// usage: h2spec <host> <port> <plain|tls> [section …]
func main() {
	port, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	passed, err := h2spec.Run(&config.Config{
		Host:         os.Args[1],
		Port:         port,
		Path:         "/",
		Timeout:      5 * time.Second,
		MaxHeaderLen: 4000,
		Strict:       true,
		TLS:          os.Args[3] == "tls",
		Insecure:     true,
		Sections:     os.Args[4:],
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !passed {
		os.Exit(1)
	}
}
