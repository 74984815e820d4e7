import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { parseCertificate, verifyCertificate } from "@talos-ts/crypto";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import { CertSAN, OSRootSecret, TrustdCertificate } from "@talos-ts/machinery/resources/secrets";
import { noon, testSecrets } from "../internal/testing.ts";
import { trustdCertificateController } from "./trustd-certificate.ts";

describe("trustdCertificateController()", () => {
  it("issues a server certificate on control plane machines once the network is ready, and none on workers", async () => {
    const clock = createManualClock(noon.getTime());
    const { certs } = await testSecrets();
    await using kit = controllerTest({ clock, register: [trustdCertificateController({ clock })] });
    await kit.create(
      createResource(MachineType, MachineType.id, "controlplane"),
      createResource(OSRootSecret, OSRootSecret.id, OSRootSecret.spec({ issuingCA: certs.os, acceptedCAs: [] })),
      createResource(CertSAN, CertSAN.ids.api, CertSAN.spec({ fqdn: "foo.lan", ips: ["10.5.0.2"], dnsNames: ["foo"] })),
    );
    await kit.settled();
    await kit.assertNoResource(TrustdCertificate, TrustdCertificate.id);
    const ready = NetworkStatus.spec({ addressReady: true, hostnameReady: true });
    await kit.create(createResource(NetworkStatus, NetworkStatus.id, ready));
    const { spec } = await kit.assertResource(TrustdCertificate, TrustdCertificate.id);
    const roots = [parseCertificate(certs.os.crt)];
    const server = parseCertificate(spec.server?.crt ?? "");
    verifyCertificate(server, { roots, at: noon, usage: "serverAuth", host: "10.5.0.2" });
    assert.equal(server.subject.commonName, "foo.lan");
    await kit.update(MachineType, MachineType.id, () => "worker");
    await kit.assertNoResource(TrustdCertificate, TrustdCertificate.id);
  });

  it("issues anew when the clock is set back behind the certificate, or forward past its refresh", async () => {
    const hour = 3_600_000;
    let offsetMs = 0;
    const manual = createManualClock(noon.getTime());
    const clock = { ...manual, now: () => manual.now() + offsetMs };
    const { certs } = await testSecrets();
    await using kit = controllerTest({ clock: manual, register: [trustdCertificateController({ clock })] });
    await kit.create(
      createResource(MachineType, MachineType.id, "controlplane"),
      createResource(OSRootSecret, OSRootSecret.id, OSRootSecret.spec({ issuingCA: certs.os, acceptedCAs: [] })),
      createResource(CertSAN, CertSAN.ids.api, CertSAN.spec({ fqdn: "foo.lan", ips: ["10.5.0.2"], dnsNames: ["foo"] })),
      createResource(NetworkStatus, NetworkStatus.id, NetworkStatus.spec({ addressReady: true, hostnameReady: true })),
    );
    const validFrom = (atMs: number): Promise<unknown> =>
      kit.assertResource(TrustdCertificate, TrustdCertificate.id, ({ spec }) => {
        const { notBefore } = parseCertificate(spec.server?.crt ?? "");
        assert.ok(Math.abs(notBefore.getTime() - atMs) <= 900_000, notBefore.toISOString());
      });
    await validFrom(noon.getTime());
    await kit.settled();
    for (const jump of [-5 * hour, 13 * hour]) {
      offsetMs = jump;
      await manual.advance(300_000);
      await validFrom(noon.getTime() + jump);
      await kit.settled();
    }
  });
});
