package main

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// The service is described by hand: its messages are well-known types, so nothing has to be generated.
const service = "interop.Echo"

var streams = []grpc.StreamDesc{
	{StreamName: "ServerStream", Handler: serverStream, ServerStreams: true},
	{StreamName: "ClientStream", Handler: clientStream, ClientStreams: true},
	{StreamName: "Bidi", Handler: bidi, ServerStreams: true, ClientStreams: true},
}

var echoDesc = grpc.ServiceDesc{
	ServiceName: service,
	HandlerType: (*any)(nil),
	Methods:     []grpc.MethodDesc{{MethodName: "Unary", Handler: unary}},
	Streams:     streams,
}

// reflect sends "echo-" metadata back, and fails the call if "fail" metadata asks for it.
func reflect(ctx context.Context, header, trailer func(metadata.MD) error) error {
	in, _ := metadata.FromIncomingContext(ctx)
	out := metadata.MD{}

	for key, values := range in {
		if len(key) > 5 && key[:5] == "echo-" {
			out[key] = values
		}
	}

	if err := errors.Join(header(out), trailer(out)); err != nil {
		return err
	}

	if text := in.Get("fail"); len(text) > 0 {
		failure, err := status.New(codes.FailedPrecondition, text[0]+" ü%").WithDetails(wrapperspb.String("detail"))
		if err != nil {
			return err
		}

		return failure.Err()
	}

	return nil
}

func unary(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	request := &wrapperspb.BytesValue{}
	if err := decode(request); err != nil {
		return nil, err
	}

	err := reflect(ctx,
		func(md metadata.MD) error { return grpc.SetHeader(ctx, md) },
		func(md metadata.MD) error { return grpc.SetTrailer(ctx, md) },
	)
	if err != nil {
		return nil, err
	}

	if string(request.GetValue()) == "wait" {
		<-ctx.Done()

		return nil, ctx.Err()
	}

	return request, nil
}

func serverStream(_ any, stream grpc.ServerStream) error {
	request := &wrapperspb.BytesValue{}
	if err := stream.RecvMsg(request); err != nil {
		return err
	}

	err := reflect(stream.Context(), stream.SetHeader, func(md metadata.MD) error {
		stream.SetTrailer(md)

		return nil
	})
	if err != nil {
		return err
	}

	for _, each := range request.GetValue() {
		if err := stream.SendMsg(wrapperspb.Bytes([]byte{each})); err != nil {
			return err
		}
	}

	return nil
}

func clientStream(_ any, stream grpc.ServerStream) error {
	var joined []byte

	for {
		request := &wrapperspb.BytesValue{}

		err := stream.RecvMsg(request)
		if errors.Is(err, io.EOF) || string(request.GetValue()) == "enough" {
			return stream.SendMsg(wrapperspb.Bytes(joined))
		}

		if err != nil {
			return err
		}

		joined = append(joined, request.GetValue()...)
	}
}

func bidi(_ any, stream grpc.ServerStream) error {
	for {
		request := &wrapperspb.BytesValue{}

		err := stream.RecvMsg(request)
		if errors.Is(err, io.EOF) {
			return nil
		}

		if err != nil {
			return err
		}

		if err := stream.SendMsg(request); err != nil {
			return err
		}
	}
}
