package cosi

import (
	"fmt"
	"io"
	"net"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"

	"github.com/cosi-project/runtime/api/v1alpha1"
	"github.com/cosi-project/runtime/pkg/state"
	"github.com/cosi-project/runtime/pkg/state/impl/inmem"
	"github.com/cosi-project/runtime/pkg/state/impl/namespaced"
	"github.com/cosi-project/runtime/pkg/state/protobuf/server"
)

// TestServe offers an empty state on the unix socket COSI_LISTEN until standard input ends.
func TestServe(t *testing.T) {
	path := os.Getenv("COSI_LISTEN")
	if path == "" {
		t.Skip("COSI_LISTEN is not set")
	}

	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", path)
	require.NoError(t, err)

	grpcServer := grpc.NewServer()
	v1alpha1.RegisterStateServer(grpcServer, server.NewState(state.WrapCore(namespaced.NewState(inmem.Build))))

	go func() {
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck
		grpcServer.Stop()
	}()

	fmt.Println("listening")
	require.NoError(t, grpcServer.Serve(listener))
}
