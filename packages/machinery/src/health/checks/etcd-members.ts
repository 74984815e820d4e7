import { describeError } from "@talos-ts/base";
import type { EtcdMember } from "@talos-ts/proto/machine/etcd";
import type { HealthCheck, HealthSubject } from "../check.ts";
import { quoted, sameSet, unmet } from "../failure.ts";

async function membersOf(
  subject: HealthSubject,
  node: string,
  queryLocal: boolean,
  signal: AbortSignal,
): Promise<readonly EtcdMember[]> {
  const { messages } = await subject
    .machine(node)
    .etcdMemberList({ queryLocal }, { signal })
    .catch((err: unknown) => {
      throw unmet(`${node}: ${describeError(err)}`, `talosctl --nodes ${node} service etcd`);
    });
  return messages.flatMap(({ members }) => members);
}

export const etcdConsistent: HealthCheck = {
  name: "etcd members to be consistent across nodes",
  async check(subject, signal) {
    let first: { readonly node: string; readonly known: readonly string[] } | undefined;
    for (const node of subject.controlPlanes) {
      // Each member's own view, not that of the majority.
      const known = (await membersOf(subject, node, true, signal)).map(
        ({ id, hostname }) => `${hostname} ${id.toString(16)}`,
      );
      first ??= { node, known };
      if (sameSet(first.known, known)) continue;
      const views = `${first.node} has ${quoted(first.known)}, ${node} has ${quoted(known)}`;
      throw unmet(`etcd member lists differ: ${views}`, `talosctl --nodes ${node} etcd members`);
    }
  },
};

export const etcdOnControlPlanes: HealthCheck = {
  name: "etcd members to be control plane nodes",
  async check(subject, signal) {
    const [node = ""] = subject.controlPlanes;
    const members = await membersOf(subject, node, false, signal);
    const next = `talosctl --nodes ${node} etcd members`;
    for (const { hostname, peerUrls } of members) {
      const hosts = peerUrls.map((url) => new URL(url).hostname.replace(/^\[(.*)\]$/, "$1"));
      if (hosts.some((host) => subject.controlPlanes.includes(host))) continue;
      throw unmet(`etcd member ${hostname} (${hosts.join(", ")}) is not a control plane node`, next);
    }
    if (members.length === subject.controlPlanes.length) return;
    throw unmet(
      `expected ${String(subject.controlPlanes.length)} etcd members, one per control plane node, found ${String(members.length)}`,
      next,
    );
  },
};
