// A proxy that authenticates callers by OpenPGP signature, as Omni does, with the public module of its vendor. It writes a key the
// way the Go client does, then serves any method, and prints one JSON line per call it has judged.
//
//	go-signature <keys directory> <context> <identity>
//
// TLS_CERT and TLS_KEY name its certificate. The first line is its address with a service account; it ends with its input.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	pgpcrypto "github.com/ProtonMail/gopenpgp/v2/crypto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/siderolabs/go-api-signature/api/auth"
	"github.com/siderolabs/go-api-signature/pkg/message"
	"github.com/siderolabs/go-api-signature/pkg/pgp"
	"github.com/siderolabs/go-api-signature/pkg/pgp/client"
	"github.com/siderolabs/go-api-signature/pkg/serviceaccount"
)

type proxy struct {
	auth.UnimplementedAuthServiceServer

	mu        sync.Mutex
	keys      map[string]*pgp.Key
	confirmed map[string]string
}

type verdict struct {
	Method   string   `json:"method"`
	Identity string   `json:"identity"`
	Nodes    []string `json:"nodes"`
	Problem  string   `json:"problem"`
}

// either takes raw bytes for methods it does not know, and messages for those it does.
type either struct{}

func (either) Name() string { return "proto" }

func (either) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(*[]byte); ok {
		return *raw, nil
	}
	return proto.Marshal(v.(proto.Message))
}

func (either) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*[]byte); ok {
		*raw = append([]byte(nil), data...)
		return nil
	}
	return proto.Unmarshal(data, v.(proto.Message))
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(directory, contextName, identity string) error {
	p := &proxy{keys: map[string]*pgp.Key{}, confirmed: map[string]string{}}

	provider := client.NewKeyProviderWithFallback("talos/keys", directory, "", true)
	key, err := provider.GenerateKey(contextName, identity, "go")
	if err != nil {
		return err
	}
	if _, err = provider.WriteKey(key); err != nil {
		return err
	}
	p.accept(key.Key, identity)

	account, err := pgp.GenerateKey("robot", "test", "robot@serviceaccount.example.org", time.Hour)
	if err != nil {
		return err
	}
	p.accept(account, "robot")
	encoded, err := serviceaccount.Encode("robot", account)
	if err != nil {
		return err
	}

	pair, err := tls.LoadX509KeyPair(os.Getenv("TLS_CERT"), os.Getenv("TLS_KEY"))
	if err != nil {
		return err
	}
	server := grpc.NewServer(
		grpc.Creds(credentials.NewServerTLSFromCert(&pair)),
		grpc.ForceServerCodec(either{}),
		grpc.UnknownServiceHandler(p.serve),
	)
	auth.RegisterAuthServiceServer(server, p)

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	printJSON(map[string]string{"address": listener.Addr().String(), "serviceAccount": encoded})

	go func() {
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck
		server.Stop()
	}()
	return server.Serve(listener)
}

func (p *proxy) accept(key *pgp.Key, identity string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys[key.Fingerprint()] = key
	p.confirmed[key.Fingerprint()] = identity
}

// serve answers every method with an empty message once the signature holds; lists have no items.
func (p *proxy) serve(_ any, stream grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(stream)
	md, _ := metadata.FromIncomingContext(stream.Context())
	identity, err := p.verify(md, method)
	v := verdict{Method: method, Identity: identity, Nodes: md.Get("nodes")}
	if err != nil {
		v.Problem = err.Error()
	}
	printJSON(v)
	if err != nil {
		return status.Error(codes.Unauthenticated, err.Error())
	}
	var request []byte
	if err := stream.RecvMsg(&request); err != nil {
		return err
	}
	if method == "/cosi.resource.State/List" {
		return nil
	}
	return stream.SendMsg(&[]byte{})
}

func (p *proxy) verify(md metadata.MD, method string) (string, error) {
	msg := message.NewGRPC(md, method)
	signature, err := msg.Signature()
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	key, owner := p.keys[signature.KeyFingerprint], p.confirmed[signature.KeyFingerprint]
	p.mu.Unlock()
	if key == nil || owner != signature.Identity {
		return signature.Identity, fmt.Errorf("key %s is not registered for %s", signature.KeyFingerprint, signature.Identity)
	}
	return signature.Identity, msg.VerifySignature(key)
}

func (p *proxy) RegisterPublicKey(_ context.Context, in *auth.RegisterPublicKeyRequest) (*auth.RegisterPublicKeyResponse, error) {
	parsed, err := pgpcrypto.NewKeyFromArmored(string(in.GetPublicKey().GetPgpData()))
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	key, err := pgp.NewKey(parsed)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if key.IsPrivate() {
		return nil, status.Error(codes.InvalidArgument, "a private key was sent")
	}
	if err := key.Validate(); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	p.mu.Lock()
	p.keys[key.Fingerprint()] = key
	p.mu.Unlock()
	url := "https://login.example.org/" + key.Fingerprint() + "?identity=" + in.GetIdentity().GetEmail()
	return &auth.RegisterPublicKeyResponse{LoginUrl: url, PublicKeyId: key.Fingerprint()}, nil
}

// AwaitPublicKeyConfirmation confirms at once, as if the owner had clicked.
func (p *proxy) AwaitPublicKeyConfirmation(_ context.Context, in *auth.AwaitPublicKeyConfirmationRequest) (*emptypb.Empty, error) {
	p.mu.Lock()
	key := p.keys[in.GetPublicKeyId()]
	p.mu.Unlock()
	if key == nil {
		return nil, status.Error(codes.NotFound, "no such key")
	}
	p.accept(key, "me@example.org")
	return &emptypb.Empty{}, nil
}

func printJSON(v any) {
	json.NewEncoder(os.Stdout).Encode(v) //nolint:errcheck
}
