import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { CertSAN, OSRootSecret } from "@talos-ts/machinery/resources/secrets";
import { apiCertSANsController } from "./api-cert-sans.ts";

const hostname = createResource(
  HostnameStatus,
  HostnameStatus.id,
  HostnameStatus.spec({ hostname: "foo", domainname: "example.com" }),
);

const addresses = (id: string) =>
  createResource(NodeAddress, id, NodeAddress.spec({ addresses: ["fd00::2/64", "10.2.1.3/24", "10.2.1.3/32"] }));

describe("apiCertSANsController()", () => {
  it("joins names and addresses of the configuration and of the machine, in order and once", async () => {
    await using test = controllerTest({ register: [apiCertSANsController()] });
    const root = createResource(
      OSRootSecret,
      "os",
      OSRootSecret.spec({ certSANIPs: ["10.4.3.2"], certSANDNSNames: ["some.other.", "foo"] }),
    );
    await test.create(root, hostname, addresses("accumulative-no-k8s"));
    await test.assertSpec(CertSAN, "api", {
      ips: ["10.2.1.3", "10.4.3.2", "127.0.0.1", "fd00::2"],
      dnsNames: ["foo", "foo.example.com", "some.other"],
      fqdn: "foo.example.com",
    });
    await test.remove(root);
    await test.assertNoResource(CertSAN, "api");
  });
});
