package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

var bothWays = &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}

// proxy forwards every call, whatever its method, to the server behind the socket.
func proxy(o options) error {
	config, err := mutualTLS(o)
	if err != nil {
		return err
	}

	backend, err := grpc.NewClient("unix://"+o.Socket,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{})))
	if err != nil {
		return err
	}
	defer backend.Close() //nolint:errcheck

	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		return err
	}

	server := grpc.NewServer(grpc.Creds(credentials.NewTLS(config)), grpc.ForceServerCodecV2(rawCodec{}),
		grpc.UnknownServiceHandler(func(_ any, in grpc.ServerStream) error { return forward(in, backend) }))

	fmt.Println(listener.Addr())

	go untilInputEnds(server.Stop)

	return server.Serve(listener)
}

func forward(in grpc.ServerStream, backend *grpc.ClientConn) error {
	method, ok := grpc.MethodFromServerStream(in)
	if !ok {
		return status.Error(codes.Internal, "a call without a method")
	}

	ctx, cancel := context.WithCancel(in.Context())
	defer cancel()

	received, _ := metadata.FromIncomingContext(ctx)

	out, err := backend.NewStream(metadata.NewOutgoingContext(ctx, received), bothWays, method)
	if err != nil {
		return err
	}

	// A request that cannot be passed on ends the call; the reason arrives with the answer.
	go func() {
		if sendRequests(in, out) != nil {
			cancel()
		}
	}()

	header, err := out.Header()
	if err != nil {
		return err
	}

	if err := in.SendHeader(header); err != nil {
		return err
	}

	for {
		var message frame

		if err := out.RecvMsg(&message); err != nil {
			in.SetTrailer(out.Trailer())

			if errors.Is(err, io.EOF) {
				return nil
			}

			return err
		}

		if err := in.SendMsg(&message); err != nil {
			return err
		}
	}
}

func sendRequests(in grpc.ServerStream, out grpc.ClientStream) error {
	for {
		var message frame

		if err := in.RecvMsg(&message); errors.Is(err, io.EOF) {
			return out.CloseSend()
		} else if err != nil {
			return err
		}

		if err := out.SendMsg(&message); err != nil {
			return err
		}
	}
}

// serve answers every call with the same bytes, once the request is there; with a message size, with messages without end.
func serve(o options) error {
	listener, err := net.Listen("unix", o.Socket)
	if err != nil {
		return err
	}

	server := grpc.NewServer(grpc.ForceServerCodecV2(rawCodec{}),
		grpc.UnknownServiceHandler(func(_ any, in grpc.ServerStream) error {
			var request frame

			if err := in.RecvMsg(&request); err != nil {
				return err
			}

			request.data.Free()

			if o.MessageBytes > 0 {
				return stream(in, o.MessageBytes)
			}

			return in.SendMsg(&frame{mem.BufferSlice{mem.SliceBuffer(o.Response)}})
		}))

	fmt.Println(listener.Addr())

	go untilInputEnds(server.Stop)

	return server.Serve(listener)
}

// stream sends messages until nobody takes them any more.
func stream(in grpc.ServerStream, size int) error {
	message := make([]byte, size)

	for {
		if err := in.SendMsg(&frame{mem.BufferSlice{mem.SliceBuffer(message)}}); err != nil {
			return err
		}
	}
}
