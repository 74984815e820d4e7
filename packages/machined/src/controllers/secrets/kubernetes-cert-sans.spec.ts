import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { CertSAN, KubernetesRootSecret } from "@talos-ts/machinery/resources/secrets";
import { kubernetesCertSANsController } from "./kubernetes-cert-sans.ts";

describe("kubernetesCertSANsController()", () => {
  it("T-77: joins the names of the service, of the endpoint and of the machine", async () => {
    await using test = controllerTest({ register: [kubernetesCertSANsController()] });
    const root = createResource(
      KubernetesRootSecret,
      "k8s",
      KubernetesRootSecret.spec({
        endpoint: "https://cp.example.org:6443",
        certSANs: ["k8s.example.org"],
        dnsDomain: "cluster.local",
        apiServerIPs: ["10.96.0.1"],
      }),
    );
    await test.create(
      root,
      createResource(HostnameStatus, "hostname", HostnameStatus.spec({ hostname: "foo", domainname: "example.com" })),
      createResource(NodeAddress, "accumulative-no-k8s", NodeAddress.spec({ addresses: ["10.5.0.2/24"] })),
    );
    await test.assertSpec(CertSAN, "k8s", {
      ips: ["10.5.0.2", "10.96.0.1", "127.0.0.1"],
      dnsNames: [
        "cp.example.org",
        "foo",
        "foo.example.com",
        "k8s.example.org",
        "kubernetes",
        "kubernetes.default",
        "kubernetes.default.svc",
        "kubernetes.default.svc.cluster.local",
        "localhost",
      ],
      fqdn: "",
    });
    await test.remove(root);
    await test.assertNoResource(CertSAN, "k8s");
  });
});
