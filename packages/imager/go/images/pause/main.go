// The process that holds the namespaces of a pod: it waits for a signal to end, and reaps processes whose parents are gone.
package main

import (
	"errors"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() {
	// It lives as long as the pod and allocates nothing after this line.
	debug.SetGCPercent(-1)

	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGINT, syscall.SIGTERM)

	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)

	for {
		select {
		case <-end:
			return
		case <-children:
			reap()
		}
	}
}

// reap collects every child that has ended: in a shared process namespace this is the parent of all orphans.
func reap() {
	for {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}

		if pid <= 0 {
			return
		}
	}
}
