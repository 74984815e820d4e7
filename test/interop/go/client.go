package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

type checkFunc func(ctx context.Context, conn *grpc.ClientConn) error

// Order is the order of the report.
var checks = []struct {
	name string
	run  checkFunc
}{
	{"unary", checkUnary},
	{"large", checkLarge},
	{"concurrent", checkConcurrent},
	{"server-stream", checkServerStream},
	{"client-stream", checkClientStream},
	{"early-answer", checkEarlyAnswer},
	{"bidi", checkBidi},
	{"metadata", checkMetadata},
	{"status", checkStatus},
	{"unimplemented", checkUnimplemented},
	{"deadline", checkDeadline},
	{"cancel", checkCancel},
	{"gzip", checkGzip},
	{"health", checkHealth},
	{"reflection", checkReflection},
}

// check prints one line per check: its name, then "ok" or what went wrong.
func check(target string) error {
	creds := insecure.NewCredentials()

	config, err := tlsConfig()
	if err != nil {
		return err
	}

	if config != nil {
		creds = credentials.NewTLS(config)
	}

	conn, err := grpc.NewClient(target, grpc.WithTransportCredentials(creds),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(32<<20)))
	if err != nil {
		return err
	}

	defer conn.Close() //nolint:errcheck

	for _, each := range checks {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		result := "ok"

		if err := each.run(ctx, conn); err != nil {
			result = err.Error()
		}

		cancel()
		fmt.Println(each.name, result)
	}

	return nil
}

func call(ctx context.Context, conn *grpc.ClientConn, value []byte, options ...grpc.CallOption) ([]byte, error) {
	response := &wrapperspb.BytesValue{}
	err := conn.Invoke(ctx, "/"+service+"/Unary", wrapperspb.Bytes(value), response, options...)

	return response.GetValue(), err
}

func open(ctx context.Context, conn *grpc.ClientConn, index int) (grpc.ClientStream, error) {
	return conn.NewStream(ctx, &streams[index], "/"+service+"/"+streams[index].StreamName)
}

// receive reads a stream to its end.
func receive(stream grpc.ClientStream) ([]byte, int, error) {
	var joined []byte

	for count := 0; ; count++ {
		message := &wrapperspb.BytesValue{}

		err := stream.RecvMsg(message)
		if errors.Is(err, io.EOF) {
			return joined, count, nil
		}

		if err != nil {
			return joined, count, err
		}

		joined = append(joined, message.GetValue()...)
	}
}

func expect(what string, ok bool) error {
	if ok {
		return nil
	}

	return fmt.Errorf("unexpected %s", what)
}

func expectCode(err error, want codes.Code) error {
	return expect(fmt.Sprintf("status %v", err), status.Code(err) == want)
}

func checkUnary(ctx context.Context, conn *grpc.ClientConn) error {
	value, err := call(ctx, conn, []byte("hello"))

	return errors.Join(err, expect(string(value), string(value) == "hello"))
}

func checkLarge(ctx context.Context, conn *grpc.ClientConn) error {
	sent := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
	value, err := call(ctx, conn, sent)

	return errors.Join(err, expect("bytes", bytes.Equal(value, sent)))
}

func checkConcurrent(ctx context.Context, conn *grpc.ClientConn) error {
	results := make(chan error)

	for i := range 200 {
		go func() {
			want := fmt.Appendf(nil, "call %d", i)
			value, err := call(ctx, conn, want)
			results <- errors.Join(err, expect(string(value), bytes.Equal(value, want)))
		}()
	}

	var all error
	for range 200 {
		all = errors.Join(all, <-results)
	}

	return all
}

func checkServerStream(ctx context.Context, conn *grpc.ClientConn) error {
	stream, err := open(ctx, conn, 0)
	if err != nil {
		return err
	}

	if err := errors.Join(stream.SendMsg(wrapperspb.Bytes([]byte("abc"))), stream.CloseSend()); err != nil {
		return err
	}

	value, count, err := receive(stream)

	return errors.Join(err, expect(string(value), string(value) == "abc"), expect("count", count == 3))
}

func checkClientStream(ctx context.Context, conn *grpc.ClientConn) error {
	stream, err := open(ctx, conn, 1)
	if err != nil {
		return err
	}

	for _, part := range []string{"a", "", "bc"} {
		if err := stream.SendMsg(wrapperspb.Bytes([]byte(part))); err != nil {
			return err
		}
	}

	if err := stream.CloseSend(); err != nil {
		return err
	}

	value, count, err := receive(stream)

	return errors.Join(err, expect(string(value), string(value) == "abc"), expect("count", count == 1))
}

// checkEarlyAnswer goes on sending after the server has answered: the answer must arrive whole.
func checkEarlyAnswer(ctx context.Context, conn *grpc.ClientConn) error {
	stream, err := open(ctx, conn, 1)
	if err != nil {
		return err
	}

	for _, part := range []string{"abc", "enough"} {
		if err := stream.SendMsg(wrapperspb.Bytes([]byte(part))); err != nil {
			return err
		}
	}

	for stream.SendMsg(wrapperspb.Bytes(make([]byte, 1000))) == nil {
	}

	value, _, err := receive(stream)

	return errors.Join(err, expect(string(value), string(value) == "abc"))
}

func checkBidi(ctx context.Context, conn *grpc.ClientConn) error {
	stream, err := open(ctx, conn, 2)
	if err != nil {
		return err
	}

	for i := range 100 {
		want := fmt.Sprint(i)
		message := &wrapperspb.BytesValue{}

		if err := errors.Join(stream.SendMsg(wrapperspb.Bytes([]byte(want))), stream.RecvMsg(message)); err != nil {
			return err
		}

		if err := expect(string(message.GetValue()), string(message.GetValue()) == want); err != nil {
			return err
		}
	}

	if err := stream.CloseSend(); err != nil {
		return err
	}

	_, _, err = receive(stream)

	return err
}

func checkMetadata(ctx context.Context, conn *grpc.ClientConn) error {
	ctx = metadata.AppendToOutgoingContext(ctx, "echo-text", "a", "echo-text", "b, c", "echo-data-bin", "\x00\xff", "echo-data-bin", "x")

	var header, trailer metadata.MD

	_, err := call(ctx, conn, nil, grpc.Header(&header), grpc.Trailer(&trailer))
	for _, md := range []metadata.MD{header, trailer} {
		err = errors.Join(err,
			expect(fmt.Sprint(md), slices.Equal(md.Get("echo-text"), []string{"a", "b, c"})),
			expect(fmt.Sprint(md), slices.Equal(md.Get("echo-data-bin"), []string{"\x00\xff", "x"})))
	}

	return err
}

func checkStatus(ctx context.Context, conn *grpc.ClientConn) error {
	_, err := call(metadata.AppendToOutgoingContext(ctx, "fail", "because"), conn, nil)

	got := status.Convert(err)
	if err := errors.Join(expectCode(err, codes.FailedPrecondition), expect(got.Message(), got.Message() == "because ü%")); err != nil {
		return err
	}

	details := got.Details()
	if len(details) != 1 {
		return fmt.Errorf("expected one detail, got %d", len(details))
	}

	detail, _ := details[0].(*wrapperspb.StringValue)

	return expect(fmt.Sprint(details), detail.GetValue() == "detail")
}

func checkUnimplemented(ctx context.Context, conn *grpc.ClientConn) error {
	err := conn.Invoke(ctx, "/"+service+"/Absent", wrapperspb.Bytes(nil), &wrapperspb.BytesValue{})

	return expectCode(err, codes.Unimplemented)
}

func checkDeadline(ctx context.Context, conn *grpc.ClientConn) error {
	ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()

	_, err := call(ctx, conn, []byte("wait"))

	return expectCode(err, codes.DeadlineExceeded)
}

func checkCancel(ctx context.Context, conn *grpc.ClientConn) error {
	ctx, cancel := context.WithCancel(ctx)

	stream, err := open(ctx, conn, 2)
	if err != nil {
		cancel()

		return err
	}

	err = errors.Join(stream.SendMsg(wrapperspb.Bytes([]byte("x"))), stream.RecvMsg(&wrapperspb.BytesValue{}))

	cancel()

	if err != nil {
		return err
	}

	return expectCode(stream.RecvMsg(&wrapperspb.BytesValue{}), codes.Canceled)
}

func checkGzip(ctx context.Context, conn *grpc.ClientConn) error {
	_, err := call(ctx, conn, []byte("hello"), grpc.UseCompressor(gzip.Name))

	return expectCode(err, codes.Unimplemented)
}

func checkHealth(ctx context.Context, conn *grpc.ClientConn) error {
	client := healthpb.NewHealthClient(conn)

	response, err := client.Check(ctx, &healthpb.HealthCheckRequest{})
	if err != nil {
		return err
	}

	if _, err := client.Check(ctx, &healthpb.HealthCheckRequest{Service: "absent"}); status.Code(err) != codes.NotFound {
		return fmt.Errorf("unexpected %v", err)
	}

	watch, err := client.Watch(ctx, &healthpb.HealthCheckRequest{Service: "absent"})
	if err != nil {
		return err
	}

	first, err := watch.Recv()

	return errors.Join(err,
		expect(response.String(), response.GetStatus() == healthpb.HealthCheckResponse_SERVING),
		expect(first.String(), first.GetStatus() == healthpb.HealthCheckResponse_SERVICE_UNKNOWN))
}

func checkReflection(ctx context.Context, conn *grpc.ClientConn) error {
	stream, err := reflectionpb.NewServerReflectionClient(conn).ServerReflectionInfo(ctx)
	if err != nil {
		return err
	}

	list := &reflectionpb.ServerReflectionRequest{MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{}}
	file := &reflectionpb.ServerReflectionRequest{
		MessageRequest: &reflectionpb.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: "grpc.health.v1.Health"},
	}

	if err := errors.Join(stream.Send(list), stream.Send(file), stream.CloseSend()); err != nil {
		return err
	}

	services, err := stream.Recv()
	if err != nil {
		return err
	}

	files, err := stream.Recv()
	if err != nil {
		return err
	}

	named := slices.ContainsFunc(services.GetListServicesResponse().GetService(), func(each *reflectionpb.ServiceResponse) bool {
		return each.GetName() == service
	})

	return errors.Join(expect(services.String(), named),
		expect(files.String(), len(files.GetFileDescriptorResponse().GetFileDescriptorProto()) > 0))
}
