// A gRPC proxy as plain as one can be in Go (TLS in, a unix socket out, messages as bytes), something to put behind it,
// and the load for it and for the proxy it is compared with.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// options are the one JSON argument; each program reads its own.
type options struct {
	// PEM files.
	Authority   string `json:"authority"`
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
	// Where to listen, or whom to call.
	Address string `json:"address"`
	// The unix socket of the server.
	Socket string `json:"socket"`
	// What the server answers, in base64.
	Response []byte `json:"response"`
	// Bytes of each message of a stream.
	MessageBytes int `json:"messageBytes"`
	// The method the load calls.
	Method      string  `json:"method"`
	Concurrency int     `json:"concurrency"`
	WarmUp      float64 `json:"warmUpSeconds"`
	Seconds     float64 `json:"seconds"`
}

var programs = map[string]func(options) error{"serve": serve, "proxy": proxy, "load": load, "download": download}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 || programs[args[0]] == nil {
		return errors.New("expected serve, proxy, load or download, and options as JSON")
	}

	var o options

	if err := json.Unmarshal([]byte(args[1]), &o); err != nil {
		return err
	}

	return programs[args[0]](o)
}

// untilInputEnds ties a program to the one that started it.
func untilInputEnds(stop func()) {
	io.Copy(io.Discard, os.Stdin) //nolint:errcheck
	stop()
}

func mutualTLS(o options) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(o.Certificate, o.Key)
	if err != nil {
		return nil, err
	}

	pem, err := os.ReadFile(o.Authority)
	if err != nil {
		return nil, err
	}

	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(pem)

	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		Certificates: []tls.Certificate{pair},
		RootCAs:      authorities,
		ClientCAs:    authorities,
		ClientAuth:   tls.RequireAndVerifyClientCert,
	}, nil
}
