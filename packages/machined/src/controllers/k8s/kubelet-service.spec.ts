import assert from "node:assert/strict";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { KubeletSpec } from "@talos-ts/machinery/resources/k8s";
import { KubeletSecret } from "@talos-ts/machinery/resources/secrets";
import { issueLeaf } from "@talos-ts/machinery/secrets";
import { parse, stringify } from "yaml";
import { noon, testSecrets } from "../internal/testing.ts";
import { kubeletServiceController } from "./kubelet-service.ts";

async function kubelet() {
  const root = await temporaryDirectory();
  const calls: string[] = [];
  const services = {
    start: () => void calls.push("start"),
    stop: async () => void calls.push("stop"),
    loaded: async () => undefined,
  };
  const clock = createManualClock(noon.getTime());
  const kit = controllerTest({ register: [kubeletServiceController({ services, clock, root: root.path })] });
  const { certs } = await testSecrets();
  await mkdir(join(root.path, "var/lib/kubelet/pki"), { recursive: true });
  await mkdir(join(root.path, "etc/kubernetes"), { recursive: true });
  return {
    ...kit,
    calls,
    path: (name: string) => join(root.path, name),
    read: (name: string) => readFile(join(root.path, name), "utf8"),
    present: (name: string) =>
      stat(join(root.path, name)).then(
        () => true,
        () => false,
      ),
    start: () =>
      kit.create(
        createResource(EtcFileStatus, "machine-id", { specVersion: "1" }),
        createResource(
          KubeletSpec,
          KubeletSpec.id,
          KubeletSpec.spec({ expectedNodename: "cp-1", config: { kind: "KubeletConfiguration" } }),
        ),
        createResource(
          KubeletSecret,
          KubeletSecret.id,
          KubeletSecret.spec({
            endpoint: "https://127.0.0.1:7445",
            acceptedCAs: [{ crt: certs.k8s.crt }],
            bootstrapTokenID: "abcdef",
            bootstrapTokenSecret: "0123456789abcdef",
          }),
        ),
      ),
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await root[Symbol.asyncDispose]();
    },
  };
}

const clientPem = "var/lib/kubelet/pki/kubelet-client-current.pem";

describe("kubeletServiceController()", () => {
  it("T-45, T-52: writes what the kubelet reads, starts it, and restarts it when that changes", async () => {
    await using test = await kubelet();
    await test.start();
    await test.settled();
    assert.deepEqual(test.calls, ["stop", "start"]);
    assert.deepEqual(parse(await test.read("etc/kubernetes/kubelet.yaml")), { kind: "KubeletConfiguration" });
    const { certs } = await testSecrets();
    assert.equal(await test.read("etc/kubernetes/pki/ca.crt"), certs.k8s.crt);
    const { users, clusters } = parse(await test.read("etc/kubernetes/bootstrap-kubeconfig")) as Record<
      string,
      unknown
    >;
    assert.deepEqual(users, [{ name: "kubelet@local", user: { token: "abcdef.0123456789abcdef" } }]);
    assert.match(JSON.stringify(clusters), /https:\/\/127\.0\.0\.1:7445/);
    await test.update(KubeletSpec, KubeletSpec.id, (spec) => ({ ...spec, credentialProviderConfig: { kind: "C" } }));
    await test.settled();
    assert.deepEqual(test.calls, ["stop", "start", "stop", "start"]);
    assert.deepEqual(parse(await test.read("etc/kubernetes/kubelet-credentialproviderconfig.yaml")), { kind: "C" });
  });
  it("T-61: has the serving certificate made anew, and keeps a client certificate that fits", async () => {
    await using test = await kubelet();
    const { certs } = await testSecrets();
    const client = await issueLeaf("internalAdmin", certs.k8s, undefined, { now: noon });
    await writeFile(test.path("var/lib/kubelet/pki/kubelet.crt"), "");
    await writeFile(test.path(clientPem), client.crt + client.key);
    await test.start();
    await test.update(KubeletSpec, KubeletSpec.id, (spec) => ({ ...spec, expectedNodename: "" }));
    await test.settled();
    assert.equal(await test.present("var/lib/kubelet/pki/kubelet.crt"), false);
    assert.equal(test.logs.filter(({ message }) => message.includes("does not match any accepted CAs")).length, 0);
  });
  it("drops a certificate for another name together with its kubeconfig", async () => {
    await using test = await kubelet();
    const { certs } = await testSecrets();
    const client = await issueLeaf("internalAdmin", certs.k8s, undefined, { now: noon });
    await writeFile(test.path(clientPem), client.crt + client.key);
    await writeFile(test.path("etc/kubernetes/kubeconfig-kubelet"), "{}");
    await test.start();
    await test.settled();
    assert.equal(await test.present(clientPem), false);
    assert.equal(await test.present("etc/kubernetes/kubeconfig-kubelet"), false);
    assert.ok(test.logs.some(({ message }) => message.includes("does not match expected nodename, removing")));
  });
  it("points the kubeconfig at the present endpoint, and forgets the state of another CPU policy", async () => {
    await using test = await kubelet();
    const old = {
      clusters: [{ name: "default-cluster", cluster: { server: "https://old:6443" } }],
      contexts: [{ name: "c", context: { cluster: "default-cluster", user: "u" } }],
      "current-context": "c",
    };
    await writeFile(test.path("etc/kubernetes/kubeconfig-kubelet"), stringify(old));
    await writeFile(test.path("var/lib/kubelet/cpu_manager_state"), '{"policyName":"static"}');
    await test.start();
    await test.settled();
    assert.match(await test.read("etc/kubernetes/kubeconfig-kubelet"), /server: https:\/\/127\.0\.0\.1:7445/);
    assert.equal(await test.present("var/lib/kubelet/cpu_manager_state"), false);
  });
});
