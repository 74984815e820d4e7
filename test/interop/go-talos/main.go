// Drives a cluster through the public Go client, the way any Go program would: it reads a talosconfig and calls the API of
// every node given. Prints one JSON object per node; exits with 1 and a message on the first call that fails.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/cosi-project/runtime/pkg/resource"
	"github.com/cosi-project/runtime/pkg/resource/meta"
	"github.com/cosi-project/runtime/pkg/safe"
	"github.com/cosi-project/runtime/pkg/state"
	"github.com/siderolabs/talos/pkg/machinery/api/common"
	"github.com/siderolabs/talos/pkg/machinery/client"
	"github.com/siderolabs/talos/pkg/machinery/resources/network"
	"github.com/siderolabs/talos/pkg/machinery/resources/runtime"
)

type report struct {
	Node        string            `json:"node"`
	Version     string            `json:"version"`
	Platform    string            `json:"platform"`
	Services    map[string]string `json:"services"`
	LogBytes    int               `json:"logBytes"`
	Events      []string          `json:"events"`
	Definitions int               `json:"definitions"`
	Hostname    string            `json:"hostname"`
	Addresses   []string          `json:"addresses"`
	Stage       string            `json:"stage"`
	Watched     []string          `json:"watched"`
}

func main() {
	config := flag.String("talosconfig", "", "client configuration")
	nodes := flag.String("nodes", "", "comma-separated nodes")
	flag.Parse()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	if err := run(ctx, *config, strings.Split(*nodes, ",")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, config string, nodes []string) error {
	c, err := client.New(ctx, client.WithConfigFromFile(config))
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	defer c.Close() //nolint:errcheck

	versions, err := c.Version(client.WithNodes(ctx, nodes...))
	if err != nil {
		return fmt.Errorf("version of all nodes: %w", err)
	}
	if len(versions.GetMessages()) != len(nodes) {
		return fmt.Errorf("version of all nodes: expected %d replies, got %d", len(nodes), len(versions.GetMessages()))
	}

	for _, node := range nodes {
		r, err := inspect(client.WithNode(ctx, node), c, node)
		if err != nil {
			return fmt.Errorf("%s: %w", node, err)
		}
		if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
			return err
		}
	}
	return nil
}

func inspect(ctx context.Context, c *client.Client, node string) (*report, error) {
	r := &report{Node: node, Services: map[string]string{}}

	version, err := c.Version(ctx)
	if err != nil {
		return nil, fmt.Errorf("version: %w", err)
	}
	r.Version = version.GetMessages()[0].GetVersion().GetTag()
	r.Platform = version.GetMessages()[0].GetPlatform().GetName()

	services, err := c.ServiceList(ctx)
	if err != nil {
		return nil, fmt.Errorf("services: %w", err)
	}
	for _, s := range services.GetMessages()[0].GetServices() {
		r.Services[s.GetId()] = s.GetState()
	}

	if r.LogBytes, err = readLogs(ctx, c); err != nil {
		return nil, fmt.Errorf("logs: %w", err)
	}
	if r.Events, err = readEvents(ctx, c); err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}

	definitions, err := safe.StateListAll[*meta.ResourceDefinition](ctx, c.COSI)
	if err != nil {
		return nil, fmt.Errorf("resource definitions: %w", err)
	}
	r.Definitions = definitions.Len()

	hostname, err := safe.StateGetByID[*network.HostnameStatus](ctx, c.COSI, network.HostnameID)
	if err != nil {
		return nil, fmt.Errorf("hostname: %w", err)
	}
	r.Hostname = hostname.TypedSpec().Hostname

	addresses, err := safe.StateListAll[*network.AddressStatus](ctx, c.COSI)
	if err != nil {
		return nil, fmt.Errorf("addresses: %w", err)
	}
	for a := range addresses.All() {
		r.Addresses = append(r.Addresses, a.TypedSpec().Address.String())
	}

	machine, err := safe.StateGetByID[*runtime.MachineStatus](ctx, c.COSI, runtime.MachineStatusID)
	if err != nil {
		return nil, fmt.Errorf("machine status: %w", err)
	}
	r.Stage = machine.TypedSpec().Stage.String()

	if r.Watched, err = watch(ctx, c); err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	return r, nil
}

func readLogs(ctx context.Context, c *client.Client) (int, error) {
	stream, err := c.Logs(ctx, "system", common.ContainerDriver_CONTAINERD, "machined", false, -1)
	if err != nil {
		return 0, err
	}
	total := 0
	for {
		data, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return total, nil
		}
		if err != nil {
			return 0, err
		}
		total += len(data.GetBytes())
	}
}

// readEvents takes the first five past events and stops.
func readEvents(ctx context.Context, c *client.Client) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	var types []string
	ch := make(chan client.EventResult)
	if err := c.EventsWatchV2(ctx, ch, client.WithTailEvents(-1)); err != nil {
		return nil, err
	}
	for len(types) < 5 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e := <-ch:
			if e.Error != nil {
				return nil, e.Error
			}
			types = append(types, e.Event.TypeURL)
		}
	}
	return types, nil
}

// watch follows all services until the contents have been sent.
func watch(ctx context.Context, c *client.Client) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	ch := make(chan state.Event)
	md := resource.NewMetadata("runtime", "Services.v1alpha1.talos.dev", "", resource.VersionUndefined)
	if err := c.COSI.WatchKind(ctx, md, ch, state.WithBootstrapContents(true)); err != nil {
		return nil, err
	}
	var ids []string
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e := <-ch:
			switch e.Type {
			case state.Errored:
				return nil, e.Error
			case state.Bootstrapped:
				return ids, nil
			default:
				ids = append(ids, e.Resource.Metadata().ID())
			}
		}
	}
}
