// Command interop is the Go side of the gRPC interoperability tests: an echo server, and a client that checks one.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: interop server|client ADDRESS"))
	}

	var err error

	switch os.Args[1] {
	case "server":
		err = serve(os.Args[2])
	case "client":
		err = check(os.Args[2])
	default:
		err = fmt.Errorf("unknown mode %q", os.Args[1])
	}

	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// tlsConfig reads the material that the test names in the environment; nil means plain text.
func tlsConfig() (*tls.Config, error) {
	if os.Getenv("TLS_CERT") == "" {
		return nil, nil
	}

	pair, err := tls.LoadX509KeyPair(os.Getenv("TLS_CERT"), os.Getenv("TLS_KEY"))
	if err != nil {
		return nil, err
	}

	ca, err := os.ReadFile(os.Getenv("TLS_CA"))
	if err != nil {
		return nil, err
	}

	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ca)

	return &tls.Config{
		Certificates: []tls.Certificate{pair},
		RootCAs:      pool,
		ClientCAs:    pool,
		ClientAuth:   tls.RequireAndVerifyClientCert,
		MinVersion:   tls.VersionTLS13,
	}, nil
}
