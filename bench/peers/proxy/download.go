package main

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type downloaded struct {
	BytesPerSecond float64 `json:"bytesPerSecond"`
}

// download takes messages of several streams on one connection, and prints how many bytes came in a second.
func download(o options) error {
	conn, err := dial(o)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	var (
		wg    sync.WaitGroup
		bytes atomic.Int64
	)

	for range o.Concurrency {
		out, err := conn.NewStream(ctx, bothWays, o.Method)
		if err != nil {
			return err
		}

		if err := out.SendMsg(&frame{}); err != nil {
			return err
		}

		if err := out.CloseSend(); err != nil {
			return err
		}

		wg.Go(func() {
			for {
				var message frame

				if out.RecvMsg(&message) != nil {
					return
				}

				bytes.Add(int64(message.data.Len()))
				message.data.Free()
			}
		})
	}

	time.Sleep(time.Duration(o.WarmUp * float64(time.Second)))

	before, start := bytes.Load(), time.Now()

	time.Sleep(time.Duration(o.Seconds * float64(time.Second)))

	rate := float64(bytes.Load()-before) / time.Since(start).Seconds()

	cancel()
	wg.Wait()

	return json.NewEncoder(os.Stdout).Encode(downloaded{rate})
}
