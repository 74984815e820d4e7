package main

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

type measured struct {
	CallsPerSecond float64 `json:"callsPerSecond"`
	// Milliseconds.
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	// The last answer, in base64.
	Response []byte `json:"response"`
}

// load calls one method as often as answers come, on one connection as clients do, and prints what it saw.
func load(o options) error {
	conn, err := dial(o)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck

	// The first call also says whether there is anybody.
	response, err := call(conn, o.Method)
	if err != nil {
		return err
	}

	if _, _, err := phase(conn, o, o.WarmUp); err != nil {
		return err
	}

	took, seconds, err := phase(conn, o, o.Seconds)
	if err != nil {
		return err
	}

	slices.Sort(took)

	at := func(part float64) float64 {
		return float64(took[min(len(took)-1, int(part*float64(len(took))))].Nanoseconds()) / 1e6
	}

	return json.NewEncoder(os.Stdout).Encode(measured{float64(len(took)) / seconds, at(0.5), at(0.99), response})
}

// dial prepares the connection of a client, over mutual TLS and without codecs.
func dial(o options) (*grpc.ClientConn, error) {
	config, err := mutualTLS(o)
	if err != nil {
		return nil, err
	}

	return grpc.NewClient(o.Address, grpc.WithTransportCredentials(credentials.NewTLS(config)),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{})))
}

func call(conn *grpc.ClientConn, method string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	var answer frame

	// Every request is the empty message.
	if err := conn.Invoke(ctx, method, &frame{}, &answer); err != nil {
		return nil, err
	}
	defer answer.data.Free()

	return answer.data.Materialize(), nil
}

func phase(conn *grpc.ClientConn, o options, length float64) ([]time.Duration, float64, error) {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		all    []time.Duration
		failed error
	)

	start := time.Now()
	end := start.Add(time.Duration(length * float64(time.Second)))

	for range o.Concurrency {
		wg.Go(func() {
			var (
				took []time.Duration
				err  error
			)

			for began := time.Now(); err == nil && began.Before(end); began = time.Now() {
				_, err = call(conn, o.Method)
				took = append(took, time.Since(began))
			}

			mu.Lock()
			defer mu.Unlock()

			all = append(all, took...)

			if err != nil {
				failed = err
			}
		})
	}

	wg.Wait()

	return all, time.Since(start).Seconds(), failed
}
