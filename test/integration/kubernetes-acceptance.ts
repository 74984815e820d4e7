import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { eventually } from "./cluster-support.ts";
import type { KubernetesCluster } from "./kubernetes-support.ts";
import { acceptanceRows, type AcceptanceRow } from "./acceptance-rows.ts";

const left = "left-behind";
/** A provider whose program is not there. */
const provider = {
  apiVersion: "kubelet.config.k8s.io/v1",
  kind: "CredentialProviderConfig",
  providers: [
    {
      name: "absent",
      apiVersion: "credentialprovider.kubelet.k8s.io/v1",
      defaultCacheDuration: "1h",
      matchImages: ["*.test"],
    },
  ],
};

/** Shows the claims of docs/acceptance.md that need a live cluster and change nothing, and the few that do. */
export function acceptance(cluster: () => KubernetesCluster): void {
  const facts = new Map<string, string>();
  const fill = (text: string): string => text.replaceAll(/<[a-z-]+>/g, (word) => facts.get(word) ?? word);
  const talosctl = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await cluster().home.talosctl(...args);
    return { failed: code !== 0, text: `${stdout}${stderr}` };
  };
  const kubectl = (...args: readonly string[]) =>
    cluster()
      .kubectl(...args)
      .then((text) => ({ failed: false, text }))
      .catch((err: unknown) => ({ failed: true, text: String(err) }));
  const run = ({ talosctl: words, kubectl: other = [], on }: AcceptanceRow) =>
    words === undefined
      ? kubectl(...other.map(fill))
      : talosctl("-n", on === "worker" ? cluster().worker : cluster().controlPlane, ...words.map(fill));

  void describe("acceptance", () => {
    before(async () => {
      const { controlPlane, worker, plan, home } = cluster();
      facts
        .set("<ip>", controlPlane)
        .set("<worker-ip>", worker)
        .set("<node>", plan.nodes[0]?.name ?? "");
      const node = JSON.stringify({ apiVersion: "v1", kind: "Node", metadata: { name: left } });
      await cluster().kubectl("create", "-f", await home.write("left.json", node));
    });
    for (const row of acceptanceRows) {
      void it(`${row.rows}: ${row.claim}`, async () => {
        const { failed, text } = await run(row);
        assert.equal(failed, row.fails === true, text);
        for (const form of row.form) assert.match(text, new RegExp(fill(form.source), form.flags));
        for (const form of row.not ?? []) assert.doesNotMatch(text, form);
      });
    }
    void it("restarts a container of Kubernetes, and its pod stays", async () => {
      const { worker } = cluster();
      const ids = async (): Promise<readonly string[]> =>
        (await talosctl("-n", worker, "containers", "-k")).text.match(
          /kube-system\/kube-proxy-\S+:kube-proxy:[0-9a-f]{12}(?=.*CONTAINER_RUNNING)/g,
        ) ?? [];
      const [container = ""] = await ids();
      assert.equal((await talosctl("-n", worker, "restart", "-k", container)).text, "");
      await eventually(ids, (now) => now.length === 1 && now[0] !== container);
    });
    void it("gives the kubelet its credential providers, and says which one is not there", async () => {
      const { worker } = cluster();
      const set = async (credentialProviderConfig: object): Promise<void> => {
        const patch = JSON.stringify({ machine: { kubelet: { credentialProviderConfig } } });
        const { failed, text } = await talosctl("-n", worker, "patch", "machineconfig", "--patch", patch);
        assert.ok(!failed, text);
      };
      const service = async (): Promise<string> => (await talosctl("-n", worker, "service", "kubelet")).text;
      await set(provider);
      await eventually(service, (text) => /last log ".*CRI auth plugins.*"/.test(text), 240_000);
      const { text } = await talosctl("-n", worker, "read", "/etc/kubernetes/kubelet-credentialproviderconfig.yaml");
      assert.match(text, /name: absent/);
      await set({ $patch: "delete" });
      await eventually(service, (now) => /^STATE +Running\n.*HEALTH +OK/ms.test(now), 240_000);
    });
    void it("T-58: a node that is gone stays until a person deletes it", async () => {
      const members = await talosctl("-n", cluster().controlPlane, "get", "members");
      assert.doesNotMatch(members.text, new RegExp(left));
      assert.match(await cluster().kubectl("delete", "node", left), /deleted/);
    });
  });
}
