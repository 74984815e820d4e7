import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { parseCertificate, verifyCertificate } from "@talos-ts/crypto";
import { HostnameStatus, NetworkStatus, NodeAddress } from "@talos-ts/machinery/resources/network";
import { EtcdRootSecret, EtcdSecret } from "@talos-ts/machinery/resources/secrets";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { noon, testSecrets } from "../internal/testing.ts";
import { etcdCertificatesController } from "./etcd-certificates.ts";

describe("etcdCertificatesController()", () => {
  it("issues certificates for the names and addresses of the machine, and again when they change", async () => {
    const clock = createManualClock(noon.getTime());
    const { certs } = await testSecrets();
    await using test = controllerTest({ clock, register: [etcdCertificatesController({ clock })] });
    await test.create(
      createResource(EtcdRootSecret, "etcd", EtcdRootSecret.spec({ etcdCA: certs.etcd })),
      createResource(NetworkStatus, "status", NetworkStatus.spec({ addressReady: true, hostnameReady: true })),
      createResource(TimeStatus, "node", TimeStatus.spec({ synced: true })),
      createResource(HostnameStatus, "hostname", HostnameStatus.spec({ hostname: "foo", domainname: "example.com" })),
      createResource(NodeAddress, "accumulative-no-k8s", NodeAddress.spec({ addresses: ["10.5.0.2/24"] })),
    );
    const { spec } = await test.assertResource(EtcdSecret, "etcd");
    const roots = [parseCertificate(certs.etcd.crt)];
    const server = parseCertificate(spec.etcd?.crt ?? "");
    verifyCertificate(server, { roots, at: noon, usage: "serverAuth", host: "10.5.0.2" });
    assert.deepEqual(parseCertificate(spec.etcdPeer?.crt ?? "").dnsNames, ["foo", "foo.example.com"]);
    await test.update(NodeAddress, "accumulative-no-k8s", () => NodeAddress.spec({ addresses: ["10.5.0.9/24"] }));
    await test.assertResource(EtcdSecret, "etcd", (resource) =>
      assert.deepEqual(parseCertificate(resource.spec.etcdPeer?.crt ?? "").ipAddresses, ["10.5.0.9"]),
    );
  });
});
