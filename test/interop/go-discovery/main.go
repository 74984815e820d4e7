// Upstream's discovery client and service, as programs that end with their standard input.
//
//	discovery server 127.0.0.1:0        prints its address
//	discovery client host:port [ca]     prints what it knows of the others, as JSON, at every change; "delete" leaves
package main

import (
	"bufio"
	"context"
	"crypto/aes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/siderolabs/discovery-api/api/v1alpha1/client/pb"
	serverpb "github.com/siderolabs/discovery-api/api/v1alpha1/server/pb"
	"github.com/siderolabs/discovery-client/pkg/client"
	"github.com/siderolabs/discovery-service/pkg/server"
	"go.uber.org/zap"
	"google.golang.org/grpc"
)

func main() {
	run := map[string]func([]string) error{"client": runClient, "server": runServer}[os.Args[1]]
	if err := run(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runServer(args []string) error {
	listener, err := net.Listen("tcp", args[0])
	if err != nil {
		return err
	}
	s := grpc.NewServer()
	serverpb.RegisterClusterServer(s, server.NewTestClusterServer(zap.NewNop()))
	go s.Serve(listener) //nolint:errcheck
	fmt.Println(listener.Addr())
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
	}
	s.Stop()
	return nil
}

// seen is what the client prints.
type seen struct {
	PublicIP   net.IP
	Affiliates map[string]affiliate
}

type affiliate struct {
	Hostname, Nodename, MachineType, OperatingSystem string
	Addresses, Additional, Excluded, Endpoints       []string
	PublicKey, Address                               string
	Port                                             uint32
}

func runClient(args []string) error {
	key := make([]byte, 32)
	for i := range key {
		key[i] = byte(i)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return err
	}
	options := client.Options{
		Cipher: block, Endpoint: args[0], ClusterID: "interop", AffiliateID: "go", ClientVersion: "v1.13.9",
		TTL: 30 * time.Minute, Insecure: len(args) == 1,
	}
	if len(args) > 1 {
		pem, err := os.ReadFile(args[1])
		if err != nil {
			return err
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(pem)
		options.TLSConfig = func() *tls.Config { return &tls.Config{RootCAs: pool} }
	}
	c, err := client.NewClient(options)
	if err != nil {
		return err
	}
	own := &pb.Affiliate{
		NodeId: "go", Addresses: [][]byte{{10, 5, 0, 9}}, Hostname: "go.example.org", Nodename: "go",
		MachineType: "worker", OperatingSystem: "Talos (v1.13.9)",
		Kubespan: &pb.KubeSpan{
			PublicKey: "go-key", Address: net.ParseIP("fd50::9"),
			AdditionalAddresses:        []*pb.IPPrefix{{Ip: []byte{10, 244, 9, 0}, Bits: 24}},
			ExcludeAdvertisedAddresses: []*pb.IPPrefix{{Ip: []byte{192, 168, 0, 0}, Bits: 16}},
		},
		ControlPlane: &pb.ControlPlane{ApiServerPort: 6443},
	}
	endpoints := []*pb.Endpoint{{Ip: []byte{10, 5, 0, 9}, Port: 51820}, {Ip: net.ParseIP("fd00::9"), Port: 51820}}
	others := []client.Endpoint{{AffiliateID: "ts", Endpoints: []*pb.Endpoint{{Ip: []byte{203, 0, 113, 1}, Port: 1234}}}}
	if err := c.SetLocalData(&client.Affiliate{Affiliate: own, Endpoints: endpoints}, others); err != nil {
		return err
	}

	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			if lines.Text() == "delete" {
				c.DeleteLocalAffiliate()
			}
		}
	}()
	changes := make(chan struct{}, 1)
	go func() {
		for range changes {
			printSeen(c)
		}
	}()
	return c.Run(ctx, zap.NewNop(), changes)
}

func printSeen(c *client.Client) {
	result := seen{PublicIP: c.GetPublicIP(), Affiliates: map[string]affiliate{}}
	for _, a := range c.GetAffiliates() {
		of := a.Affiliate
		entry := affiliate{
			Hostname: of.Hostname, Nodename: of.Nodename, MachineType: of.MachineType, OperatingSystem: of.OperatingSystem,
			PublicKey: of.GetKubespan().GetPublicKey(), Address: net.IP(of.GetKubespan().GetAddress()).String(),
			Port: of.GetControlPlane().GetApiServerPort(),
		}
		for _, address := range of.Addresses {
			entry.Addresses = append(entry.Addresses, net.IP(address).String())
		}
		for _, prefix := range of.GetKubespan().GetAdditionalAddresses() {
			entry.Additional = append(entry.Additional, fmt.Sprintf("%s/%d", net.IP(prefix.Ip), prefix.Bits))
		}
		for _, prefix := range of.GetKubespan().GetExcludeAdvertisedAddresses() {
			entry.Excluded = append(entry.Excluded, fmt.Sprintf("%s/%d", net.IP(prefix.Ip), prefix.Bits))
		}
		for _, endpoint := range a.Endpoints {
			entry.Endpoints = append(entry.Endpoints, net.JoinHostPort(net.IP(endpoint.Ip).String(), fmt.Sprint(endpoint.Port)))
		}
		result.Affiliates[of.NodeId] = entry
	}
	line, _ := json.Marshal(result) //nolint:errcheck
	fmt.Println(string(line))
}
