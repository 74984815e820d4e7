package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/siderolabs/talos/pkg/machinery/api/common"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/constants"
)

// logs prints the whole log of a service, line by line with the name of the node.
func logs(ctx context.Context, c *client.Client, node, service string) error {
	stream, err := c.Logs(ctx, constants.SystemContainerdNamespace, common.ContainerDriver_CONTAINERD, service, false, -1)
	if err != nil {
		return err
	}

	reader, err := client.ReadStream(stream)
	if err != nil {
		return err
	}
	defer reader.Close() //nolint:errcheck

	lines := make(chan string)
	failed := make(chan error, 1)

	go func() {
		defer close(lines)

		buffered := bufio.NewReader(reader)
		for {
			line, err := buffered.ReadString('\n')
			if line != "" {
				lines <- line
			}
			if err != nil {
				if err == io.EOF {
					err = nil
				}
				failed <- err

				return
			}
		}
	}()

	for line := range lines {
		if _, err := fmt.Printf("%s: %s", node, line); err != nil {
			return err
		}
	}

	return <-failed
}
