import assert from "node:assert/strict";
import { mkdir, readFile, stat } from "node:fs/promises";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { testConfig } from "../../../controllers/internal/testing.ts";
import { createTestNode, type TestNode } from "../../testing.ts";

type Machine = ReturnType<typeof clientOf>;
const clientOf = (node: TestNode) => node.client(MachineService);

async function nodeOf(type: "controlplane" | "worker"): Promise<TestNode> {
  const node = await createTestNode();
  await node.machine.config.activate(await testConfig(type));
  return node;
}

/** Every method of etcd, and the name its error has on other machines. */
const methods: Readonly<Record<string, (client: Machine) => Promise<unknown>>> = {
  "member list": (client) => client.etcdMemberList({ queryLocal: true }),
  "etcd status": (client) => client.etcdStatus({}),
  "etcd alarm list": (client) => client.etcdAlarmList({}),
  "etcd alarm disarm": (client) => client.etcdAlarmDisarm({}),
  "etcd defragment": (client) => client.etcdDefragment({}),
  "etcd snapshot": (client) => Array.fromAsync(client.etcdSnapshot({})),
  "etcd recover": (client) => client.etcdRecover(pieces()),
  "etcd leave": (client) => client.etcdLeaveCluster({}),
  "etcd remove member": (client) => client.etcdRemoveMemberByID({ memberId: 1n }),
  "etcd forfeit leadership": (client) => client.etcdForfeitLeadership({}),
  "etcd downgrade validate": (client) => client.etcdDowngradeValidate({ version: "3.5" }),
  "etcd downgrade enable": (client) => client.etcdDowngradeEnable({ version: "3.5" }),
  "etcd downgrade cancel": (client) => client.etcdDowngradeCancel({}),
};

async function* pieces(): AsyncGenerator<{ bytes: Uint8Array }> {
  yield { bytes: Buffer.from("snap") };
  yield { bytes: Buffer.from("shot") };
}

describe("methods of etcd", () => {
  it("T-31: are only available on control plane nodes", async () => {
    await using node = await nodeOf("worker");
    for (const [api, call] of Object.entries(methods)) {
      await assert.rejects(call(clientOf(node)), {
        kind: "unimplemented",
        message: `${api} is only available on control plane nodes`,
      });
    }
  });

  it("say what was tried and where to look while there is no etcd", async () => {
    await using node = await nodeOf("controlplane");
    await assert.rejects(clientOf(node).etcdStatus({}), {
      kind: "unavailable",
      message: /^failed to query etcd status: etcd certificates are not ready yet/,
      next: "talosctl get etcdpkistatus",
    });
    await assert.rejects(clientOf(node).etcdRemoveMemberByID({ memberId: 1n }), {
      kind: "unavailable",
      message: "failed to remove member: no controlplane endpoints discovered yet",
    });
  });

  it("check the version of a downgrade before etcd is asked", async () => {
    await using node = await nodeOf("controlplane");
    const problems = {
      "": "version is required for etcd downgrade",
      "3.5.1": "version should be in MAJOR.MINOR format",
      "x.5": "major version should be a number",
      "3.x": "minor version should be a number",
      "3.4": "etcd downgrade is only supported to 3.5 and later versions",
    };
    for (const [version, message] of Object.entries(problems)) {
      await assert.rejects(clientOf(node).etcdDowngradeEnable({ version }), { kind: "invalid-argument", message });
    }
  });
});

describe("etcdRecover()", () => {
  it("C-26: keeps an upload for bootstrap, for etcd alone", async () => {
    await using node = await nodeOf("controlplane");
    await assert.rejects(clientOf(node).etcdRecover(pieces()), {
      kind: "failed-precondition",
      message: "etcd service is not ready for recovery yet",
    });
    await mkdir(`${node.root}/var/lib`, { recursive: true });
    await clientOf(node).etcdRecover(pieces());
    const path = `${node.root}/var/lib/etcd.snapshot`;
    assert.equal(await readFile(path, "utf8"), "snapshot");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });
});

describe("bootstrap()", () => {
  it("T-38: refuses until the machine is ready, in this order", async () => {
    await using node = await createTestNode();
    const call = () => clientOf(node).bootstrap({});
    await assert.rejects(call(), { kind: "failed-precondition", message: "bootstrap is not available yet" });
    node.machine.services.load({ id: "cri", runner: () => undefined });
    await node.machine.config.activate(await testConfig("worker"));
    // A CRI that the machine knows of is waited for.
    const early = assert.rejects(call(), {
      kind: "unimplemented",
      message: "bootstrap is only available on control plane nodes",
    });
    node.machine.services.start("cri");
    await early;
    await node.machine.config.activate(await testConfig("controlplane"));
    await node.machine.state.create(createResource(TimeStatus, "node", TimeStatus.spec({ synced: true })));
    await mkdir(`${node.root}/var/lib/etcd/member`, { recursive: true });
    await assert.rejects(call(), { kind: "already-exists", message: "etcd data directory is not empty" });
  });
});
