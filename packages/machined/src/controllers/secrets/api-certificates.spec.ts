import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBackoff, createManualClock, OsError } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { parseCertificate, parseRequest, verifyCertificate } from "@talos-ts/crypto";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { Endpoint } from "@talos-ts/machinery/resources/k8s";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import { ApiCertificate, CertSAN, OSRootSecret, TrustdCertificate } from "@talos-ts/machinery/resources/secrets";
import type { MachineTypeName } from "@talos-ts/machinery/resources/enums";
import { signWorkerRequest } from "@talos-ts/machinery/secrets";
import { noon, testSecrets } from "../internal/testing.ts";
import { apiCertificatesController } from "./api-certificates.ts";
import { maintenanceRootController } from "./maintenance-root.ts";
import type { SigningRequest } from "./internal/request-certificate.ts";
import { trustdCertificateController } from "./trustd-certificate.ts";

const hour = 3_600_000;
const network = createResource(
  NetworkStatus,
  NetworkStatus.id,
  NetworkStatus.spec({ addressReady: true, hostnameReady: true }),
);
const machineType = (type: MachineTypeName) => createResource(MachineType, MachineType.id, type);
const sans = (id: string) =>
  createResource(CertSAN, id, CertSAN.spec({ ips: ["10.5.0.2"], dnsNames: ["foo"], fqdn: "foo.example.com" }));

async function root(type: "controlplane" | "worker") {
  const { certs, trustdInfo } = await testSecrets();
  const issuingCA = type === "controlplane" ? certs.os : undefined;
  return createResource(
    OSRootSecret,
    "os",
    OSRootSecret.spec({ issuingCA, acceptedCAs: [{ crt: certs.os.crt }], token: trustdInfo.token }),
  );
}

describe("apiCertificatesController()", () => {
  it("lets a control plane machine issue its own certificates, again after half their life", async () => {
    const { certs } = await testSecrets();
    const clock = createManualClock(noon.getTime());
    await using test = controllerTest({ clock, register: [apiCertificatesController({ clock })] });
    await test.create(network, machineType("controlplane"), await root("controlplane"), sans("api"));
    const first = await test.assertResource(ApiCertificate, "api");
    const server = parseCertificate(first.spec.server?.crt ?? "");
    verifyCertificate(server, {
      roots: [parseCertificate(certs.os.crt)],
      at: noon,
      usage: "serverAuth",
      host: "10.5.0.2",
    });
    assert.deepEqual([server.subject.commonName, server.ipAddresses], ["foo.example.com", ["10.5.0.2"]]);
    assert.deepEqual(parseCertificate(first.spec.client?.crt ?? "").subject.organizations, ["os:impersonator"]);
    await test.settled();
    await clock.advance(11 * hour);
    await test.settled();
    await test.assertSpec(ApiCertificate, "api", first.spec);
    await clock.advance(hour);
    await test.assertResource(ApiCertificate, "api", ({ spec }) =>
      assert.notEqual(spec.server?.crt, first.spec.server?.crt),
    );
  });

  it("issues anew when the names change, but not when something else does", async () => {
    const clock = createManualClock(noon.getTime());
    await using test = controllerTest({ clock, register: [apiCertificatesController({ clock })] });
    await test.create(network, machineType("controlplane"), await root("controlplane"), sans("api"));
    const first = await test.assertResource(ApiCertificate, "api");
    await test.update(NetworkStatus, NetworkStatus.id, (spec) => ({ ...spec, connectivityReady: true }));
    await test.settled();
    await test.assertSpec(ApiCertificate, "api", first.spec);
    await test.update(CertSAN, "api", (spec) => ({ ...spec, dnsNames: ["bar"] }));
    await test.assertResource(ApiCertificate, "api", ({ spec }) =>
      assert.deepEqual(parseCertificate(spec.server?.crt ?? "").dnsNames, ["bar"]),
    );
  });

  it("C-15: has the certificate of a worker signed by trustd, trying until it works, and renews as itself", async () => {
    const { certs, trustdInfo } = await testSecrets();
    const clock = createManualClock(noon.getTime());
    const requests: SigningRequest[] = [];
    const signer = async (request: SigningRequest) => {
      requests.push(request);
      if (requests.length === 1) throw new OsError({ kind: "unavailable", message: "connection refused" });
      return { ca: certs.os.crt, crt: signWorkerRequest(certs.os, request.csr, { now: request.now }) };
    };
    const backoff = createBackoff({ initialMs: 1000, jitter: 0 });
    await using test = controllerTest({ clock, register: [apiCertificatesController({ clock, signer, backoff })] });
    await test.create(network, machineType("worker"), await root("worker"), sans("api"));
    await test.settled();
    assert.equal(requests.length, 0);
    const endpoints = Endpoint.spec({ addresses: ["10.5.0.2", "10.5.0.3"] });
    await test.create(
      createResource(Endpoint, "discovery", endpoints),
      createResource(Endpoint, "controlplane", endpoints),
    );
    await test.assertStatus("secrets.APIController", ({ state }) => assert.equal(state, "backing-off"));
    await clock.advance(1000);
    const { spec } = await test.assertResource(ApiCertificate, "api");
    assert.deepEqual(requests[0]?.endpoints, ["10.5.0.2", "10.5.0.3"]);
    assert.equal(requests[0]?.token, trustdInfo.token);
    assert.equal(parseRequest(requests[0]?.csr ?? "").subject.commonName, "foo.example.com");
    assert.deepEqual(spec.acceptedCAs, [{ crt: certs.os.crt }]);
    assert.equal(spec.client, undefined);
    assert.equal(requests[1]?.present, undefined);
    await test.settled();
    await clock.advance(12 * hour);
    await test.assertResource(ApiCertificate, "api", ({ metadata }) => assert.equal(metadata.version, 2));
    assert.deepEqual(requests[2]?.present, spec.server);
  });

  it("uses the maintenance authority while there is no configuration, and no longer once there is one", async () => {
    const clock = createManualClock(noon.getTime());
    await using test = controllerTest({
      clock,
      register: [apiCertificatesController({ clock }), maintenanceRootController({ clock })],
    });
    await test.create(network, sans("maintenance"));
    await test.assertResource(ApiCertificate, "api", ({ spec }) => {
      assert.equal(spec.skipVerifyingClientCert, true);
      assert.equal(parseCertificate(spec.server?.crt ?? "").subject.commonName, "maintenance-service.talos.dev");
    });
    await test.create(await root("controlplane"), machineType("controlplane"));
    await test.assertNoResource(ApiCertificate, "api");
    await test.create(sans("api"));
    await test.assertResource(ApiCertificate, "api", ({ spec }) => assert.equal(spec.skipVerifyingClientCert, false));
  });
});

describe("trustdCertificateController()", () => {
  it("issues for control plane machines only", async () => {
    const clock = createManualClock(noon.getTime());
    await using test = controllerTest({ clock, register: [trustdCertificateController({ clock })] });
    await test.create(network, machineType("controlplane"), await root("controlplane"), sans("api"));
    await test.assertResource(TrustdCertificate, "trustd", ({ spec }) =>
      assert.deepEqual(parseCertificate(spec.server?.crt ?? "").extKeyUsages, ["1.3.6.1.5.5.7.3.1"]),
    );
    await test.update(MachineType, MachineType.id, () => "worker");
    await test.assertNoResource(TrustdCertificate, "trustd");
  });
});
