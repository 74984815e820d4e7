package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
)

// serve runs until its standard input closes, which ties it to the test that started it.
func serve(address string) error {
	network := "tcp"
	if path, ok := strings.CutPrefix(address, "unix://"); ok {
		network, address = "unix", path
	}

	listener, err := net.Listen(network, address)
	if err != nil {
		return err
	}

	options := []grpc.ServerOption{grpc.MaxRecvMsgSize(32 << 20)}

	config, err := tlsConfig()
	if err != nil {
		return err
	}

	if config != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(config)))
	}

	server := grpc.NewServer(options...)
	server.RegisterService(&echoDesc, struct{}{})
	healthpb.RegisterHealthServer(server, health.NewServer())
	reflection.Register(server)

	fmt.Println(listener.Addr())

	go func() {
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck
		server.Stop()
	}()

	return server.Serve(listener)
}
