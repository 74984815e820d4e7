import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { HostnameStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { CertSAN } from "@talos-ts/machinery/resources/secrets";
import { maintenanceCertSANsController } from "./maintenance-cert-sans.ts";

const hostname = createResource(
  HostnameStatus,
  HostnameStatus.id,
  HostnameStatus.spec({ hostname: "foo", domainname: "example.com" }),
);

const addresses = (id: string) =>
  createResource(NodeAddress, id, NodeAddress.spec({ addresses: ["fd00::2/64", "10.2.1.3/24", "10.2.1.3/32"] }));

describe("maintenanceCertSANsController()", () => {
  it("needs no host name", async () => {
    await using test = controllerTest({ register: [maintenanceCertSANsController()] });
    await test.create(addresses("accumulative"));
    const ips = ["10.2.1.3", "127.0.0.1", "::1", "fd00::2"];
    await test.assertSpec(CertSAN, "maintenance", { ips, dnsNames: [], fqdn: "maintenance-service.talos.dev" });
    await test.create(hostname);
    const dnsNames = ["foo", "foo.example.com"];
    await test.assertSpec(CertSAN, "maintenance", { ips, dnsNames, fqdn: "maintenance-service.talos.dev" });
  });
});
