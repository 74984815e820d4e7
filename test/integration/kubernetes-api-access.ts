import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventually } from "./cluster-support.ts";
import type { KubernetesCluster } from "./kubernetes-support.ts";

const access = { enabled: true, allowedRoles: ["os:reader"], allowedKubernetesNamespaces: ["default"] };
const account = "talosctl-talos-secrets";

/** A pod that nobody runs: no node has the label it asks for. */
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "talosctl", namespace: "default" },
  spec: { nodeSelector: { none: "none" }, containers: [{ name: "talosctl", image: "talosctl" }] },
};

/** Shows the access of pods to the machine API, from the setting to a call with what a pod gets. */
export function apiAccess(cluster: () => KubernetesCluster): void {
  const kubectl = (...args: readonly string[]): Promise<string> => cluster().kubectl(...args);
  const get = (...args: readonly string[]): Promise<string> => kubectl("get", ...args).catch(String);

  void describe("access of pods to the machine API", () => {
    void it("gives an injected pod a client configuration that works, with the roles it asked for", async () => {
      const { home, controlPlane, worker } = cluster();
      const patch = JSON.stringify({ machine: { features: { kubernetesTalosAPIAccess: access } } });
      const patched = await home.talosctl("--nodes", controlPlane, "patch", "mc", "--patch", patch);
      assert.equal(patched.code, 0, patched.stderr);
      await eventually(
        () => get("crd", "serviceaccounts.talos.dev"),
        (text) => text.startsWith("NAME"),
      );
      const manifest = await home.write("pod.yaml", JSON.stringify(pod));
      const { code, stdout, stderr } = await home.talosctl("inject", "serviceaccount", "-f", manifest);
      assert.equal(code, 0, stderr);
      const injected = await home.write("injected.yaml", stdout);
      await eventually(
        () => kubectl("apply", "-f", injected).catch(String),
        (text) => text.includes("serviceaccount.talos.dev/"),
      );
      const config = await eventually(
        () => get("secret", account, "-o", "jsonpath={.data.config}"),
        (text) => /^[A-Za-z0-9+/=]+$/.test(text),
      );
      const talosconfig = await home.write("pod-talosconfig", Buffer.from(config, "base64").toString());
      const asPod = ["--talosconfig", talosconfig, "--endpoints", controlPlane, "--nodes", worker];
      const version = await home.talosctl(...asPod, "version");
      assert.equal(version.code, 0, version.stderr);
      const refused = await home.talosctl(...asPod, "read", "/etc/hosts");
      assert.match(refused.stderr, /not authorized/);
    });
    void it("is there as a Service with the control planes as endpoints", async () => {
      const slices = ["endpointslices", "-l", "kubernetes.io/service-name=talos", "-o"];
      await eventually(
        () => get(...slices, "jsonpath={.items[*].endpoints[*].addresses[*]}"),
        (addresses) => addresses === cluster().controlPlane,
      );
      assert.match(await get("service", "talos"), /50000\/TCP/);
    });
    void it("says why an account gets nothing", async () => {
      await kubectl("patch", "tsa", account, "--type=merge", "-p", '{"spec":{"roles":["os:admin"]}}');
      await eventually(
        () => get("tsa", account, "-o", "jsonpath={.status.failureReason}"),
        (text) => text === "Roles not allowed: [os:admin]",
      );
    });
    void it("ends with its account", async () => {
      await kubectl("delete", "tsa/talosctl-talos-secrets", "pod/talosctl", "--wait=false");
      await eventually(
        () => get("secret", account),
        (text) => text.includes("NotFound"),
      );
    });
  });
}
