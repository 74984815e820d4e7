import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { CertificateStatus, OSRootSecret, TrustdCertificate } from "@talos-ts/machinery/resources/secrets";
import { issueLeaf } from "@talos-ts/machinery/secrets";
import { noon, testSecrets } from "../internal/testing.ts";
import { certificateStatusController } from "./certificate-status.ts";

describe("certificateStatusController()", () => {
  it("publishes subject, issuer and dates of what is there, follows it, and shows no key", async () => {
    const { certs } = await testSecrets();
    await using kit = controllerTest({ register: [certificateStatusController()] });
    const names = { fqdn: "cp-1", dnsNames: [], ipAddresses: ["10.5.0.2"] };
    const server = await issueLeaf("trustdServer", certs.os, names, { now: noon });
    await kit.create(
      createResource(OSRootSecret, OSRootSecret.id, OSRootSecret.spec({ issuingCA: certs.os, acceptedCAs: [] })),
      createResource(TrustdCertificate, TrustdCertificate.id, TrustdCertificate.spec({ server, acceptedCAs: [] })),
    );
    await kit.assertResource(CertificateStatus, "os-ca");
    await kit.assertResource(CertificateStatus, "trustd-server", ({ spec }) => {
      assert.deepEqual(spec, {
        subject: "CN=cp-1",
        issuer: "O=talos",
        notBefore: noon.toISOString(),
        notAfter: new Date(noon.getTime() + 86_400_000).toISOString(),
      });
    });
    await kit.assertNoResource(CertificateStatus, "apid-server");
  });
});
