// Command e2e runs the conformance tests of Kubernetes that are linked into it. It takes the flags of upstream's e2e.test.
//
// Linked are the areas whose tests need no image but those of test-images.ts and that do not pull the whole of Kubernetes into
// the build, as the others do: volumes of pods, pod networking, events, and limits and preemption of the scheduler.
package main

import (
	"context"
	"flag"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/test/e2e/framework"
	"k8s.io/kubernetes/test/e2e/framework/config"
	e2enode "k8s.io/kubernetes/test/e2e/framework/node"
	netutils "k8s.io/utils/net"

	_ "k8s.io/kubernetes/test/e2e/architecture"
	_ "k8s.io/kubernetes/test/e2e/common/network"
	_ "k8s.io/kubernetes/test/e2e/common/storage"
	_ "k8s.io/kubernetes/test/e2e/framework/debug/init"
	_ "k8s.io/kubernetes/test/e2e/framework/metrics/init"
	_ "k8s.io/kubernetes/test/e2e/framework/node/init"
	_ "k8s.io/kubernetes/test/e2e/instrumentation"
	_ "k8s.io/kubernetes/test/e2e/scheduling"
	_ "k8s.io/kubernetes/test/utils/format"
)

// Tests read the number of nodes and the family of addresses from the context of the framework.
var _ = ginkgo.BeforeSuite(func(ctx context.Context) {
	client, err := framework.LoadClientset()
	framework.ExpectNoError(err)
	framework.ExpectNoError(e2enode.WaitForAllNodesSchedulable(ctx, client, framework.NewTimeoutContext().NodeSchedulable))
	nodes, err := e2enode.GetReadySchedulableNodes(ctx, client)
	framework.ExpectNoError(err)
	framework.TestContext.CloudConfig.NumNodes = len(nodes.Items)
	service, err := client.CoreV1().Services(metav1.NamespaceDefault).Get(ctx, "kubernetes", metav1.GetOptions{})
	framework.ExpectNoError(err)
	framework.TestContext.IPFamily = "ipv4"
	if netutils.IsIPv6String(service.Spec.ClusterIP) {
		framework.TestContext.IPFamily = "ipv6"
	}
})

func run(t *testing.T) {
	gomega.RegisterFailHandler(framework.Fail)
	suite, reporter := framework.CreateGinkgoConfig()
	ginkgo.RunSpecs(t, "conformance", suite, reporter)
}

func main() {
	testing.Init()
	config.CopyFlags(config.Flags, flag.CommandLine)
	framework.RegisterCommonFlags(flag.CommandLine)
	framework.RegisterClusterFlags(flag.CommandLine)
	flag.Parse()
	framework.AfterReadingAllFlags(&framework.TestContext)
	// A program and not `go test -c`, so that it is built, and its progress is seen, like every other one.
	every := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(every, []testing.InternalTest{{Name: "E2E", F: run}}, nil, nil)
}
