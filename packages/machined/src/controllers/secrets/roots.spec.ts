import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import {
  EtcdRootSecret,
  KubeletSecret,
  KubernetesRootSecret,
  OSRootSecret,
} from "@talos-ts/machinery/resources/secrets";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { activeResource, testConfig, testSecrets } from "../internal/testing.ts";
import { kubeletSecretController } from "./kubelet-secret.ts";
import { rootEtcdController } from "./root-etcd.ts";
import { rootKubernetesController } from "./root-kubernetes.ts";
import { rootOSController } from "./root-os.ts";
import { trustedRootsController } from "./trusted-roots.ts";

describe("rootOSController()", () => {
  it("gives a control plane machine the authority, the token and the extra names", async () => {
    const { certs, trustdInfo } = await testSecrets();
    await using test = controllerTest({ register: [rootOSController()] });
    const config = activeResource(
      await testConfig("controlplane", { additionalSans: ["10.9.8.7", "api.example.org"] }),
    );
    await test.create(config);
    await test.assertSpec(OSRootSecret, "os", {
      issuingCA: certs.os,
      acceptedCAs: [{ crt: certs.os.crt }],
      certSANIPs: ["10.9.8.7"],
      certSANDNSNames: ["api.example.org"],
      token: trustdInfo.token,
    });
    await test.remove(config);
    await test.assertNoResource(OSRootSecret, "os");
  });

  it("gives a worker what to believe but nothing to sign with", async () => {
    const { certs } = await testSecrets();
    await using test = controllerTest({ register: [rootOSController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.assertResource(OSRootSecret, "os", ({ spec }) => {
      assert.equal(spec.issuingCA, undefined);
      assert.deepEqual(spec.acceptedCAs, [{ crt: certs.os.crt }]);
    });
  });
});

describe("rootEtcdController() and rootKubernetesController()", () => {
  it("give control plane machines what etcd and Kubernetes are built on", async () => {
    const { certs, secrets } = await testSecrets();
    await using test = controllerTest({ register: [rootEtcdController(), rootKubernetesController()] });
    await test.create(activeResource(await testConfig("controlplane", { additionalSans: ["10.9.8.7"] })));
    await test.assertSpec(EtcdRootSecret, "etcd", { etcdCA: certs.etcd });
    const [id, secret] = secrets.bootstrapToken.split(".");
    await test.assertResource(KubernetesRootSecret, "k8s", ({ spec }) => {
      assert.deepEqual(
        [spec.name, spec.endpoint, spec.localEndpoint],
        ["test", "https://10.5.0.2:6443", "https://127.0.0.1:7445"],
      );
      assert.deepEqual([spec.apiServerIPs, spec.dnsDomain], [["10.96.0.1"], "cluster.local"]);
      assert.deepEqual([spec.issuingCA, spec.acceptedCAs], [certs.k8s, [{ crt: certs.k8s.crt }]]);
      assert.deepEqual([spec.aggregatorCA, spec.serviceAccount], [certs.k8sAggregator, certs.k8sServiceAccount]);
      assert.deepEqual([spec.bootstrapTokenID, spec.bootstrapTokenSecret], [id, secret]);
      assert.equal(spec.secretboxEncryptionSecret, secrets.secretboxEncryptionSecret);
    });
  });
  it("give workers nothing", async () => {
    await using test = controllerTest({ register: [rootEtcdController(), rootKubernetesController()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(EtcdRootSecret, "etcd");
    await test.assertNoResource(KubernetesRootSecret, "k8s");
  });
});

describe("kubeletSecretController()", () => {
  it("gives the kubelet the nearest API server and its first credentials", async () => {
    const { certs } = await testSecrets();
    await using test = controllerTest({ register: [kubeletSecretController()] });
    const config = activeResource(await testConfig("worker"));
    await test.create(config);
    await test.assertResource(KubeletSecret, "kubelet", ({ spec }) => {
      assert.equal(spec.endpoint, "https://127.0.0.1:7445");
      assert.deepEqual(spec.acceptedCAs, [{ crt: certs.k8s.crt }]);
    });
    await test.remove(config);
    await test.create(activeResource(await testConfig("controlplane", { kubePrismPort: 0 })));
    await test.assertResource(KubeletSecret, "kubelet", ({ spec }) =>
      assert.equal(spec.endpoint, "https://localhost:6443"),
    );
  });
});

describe("trustedRootsController()", () => {
  it("adds authorities of the configuration to those of the image", async () => {
    await using directory = await temporaryDirectory();
    await mkdir(join(directory.path, "etc/ssl/certs"), { recursive: true });
    await writeFile(join(directory.path, "etc/ssl/certs/ca-certificates.crt"), "image\n");
    await using test = controllerTest({ register: [trustedRootsController({ root: directory.path })] });
    const id = "ssl/certs/ca-certificates.crt";
    await test.assertSpec(EtcFileSpec, id, { contents: "image\n", mode: 0o644, selinuxLabel: "" });
    const { certs } = await testSecrets();
    const text = `apiVersion: v1alpha1\nkind: TrustedRootsConfig\nname: mine\ncertificates: |\n${certs.os.crt.replaceAll(/^/gm, "  ")}`;
    await test.create(activeResource(text));
    await test.assertResource(EtcFileSpec, id, ({ spec }) =>
      assert.match(spec.contents, /^image\n-----BEGIN CERTIFICATE/),
    );
  });
});
