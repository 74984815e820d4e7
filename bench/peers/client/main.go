// Package main reads streams of a node with the Go client library of Talos, as the commands logs and copy of its client do:
//
//	client -talosconfig <file> -node <address> logs <service>
//	client -talosconfig <file> -node <address> copy <path> <folder | ->
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/siderolabs/talos/pkg/machinery/client"
)

func main() {
	config := flag.String("talosconfig", "", "client configuration")
	node := flag.String("node", "", "address of the node")
	flag.Parse()

	if err := run(*config, *node, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(config, node string, args []string) error {
	ctx := client.WithNode(context.Background(), node)

	c, err := client.New(ctx, client.WithConfigFromFile(config))
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck

	switch {
	case len(args) == 2 && args[0] == "logs":
		return logs(ctx, c, node, args[1])
	case len(args) == 3 && args[0] == "copy":
		return copyFrom(ctx, c, args[1], args[2])
	default:
		return errors.New("expected logs <service>, or copy <path> <folder>")
	}
}
