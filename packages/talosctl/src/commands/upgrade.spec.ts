import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import type { CallContext } from "@talos-ts/grpc";
import { startTestApiServer } from "@talos-ts/kubernetes/testing";
import { ContainerdNamespace, ContainerDriver } from "@talos-ts/proto/common/common";
import { RebootRequest_Mode, UpgradeRequest_RebootMode } from "@talos-ts/proto/machine/power";
import { answersOf, type FakeNode } from "../testing/fake-node.ts";
import { kubeconfigFor, startRebootingNode } from "../testing/rebooting-node.ts";

interface Machine {
  readonly tag?: string;
  readonly mode?: string;
  readonly exitCode?: number;
  readonly kubeconfig?: string;
}

/** Starts a machine that has an installer; what it is asked for is put into `asked`. */
async function startMachine(asked: unknown[], machine: Machine = {}): Promise<FakeNode> {
  const { tag = "v1.13.0", mode = "metal", exitCode = 0, kubeconfig = "" } = machine;
  const nodeOf = (context: CallContext): string => context.metadata.get("node") ?? "";
  return startRebootingNode(kubeconfig, {
    machine: {
      version: () => ({ messages: [{ version: { tag }, platform: { mode } }] }),
      reboot: (request, context) => {
        asked.push(["reboot", context.metadata.getAll("nodes"), request.mode]);
        return { messages: answersOf(context, () => ({ actorId: "actor" })) };
      },
      upgrade: ({ image, preserve, stage, force, rebootMode }, context) => {
        asked.push(["legacy", image, { preserve, stage, force, rebootMode }]);
        return { messages: answersOf(context, () => ({ ack: "Upgrade request received", actorId: "actor" })) };
      },
    },
    image: {
      async *pull({ containerd, imageRef }, context) {
        asked.push(["pull", nodeOf(context), imageRef, containerd?.driver, containerd?.namespace]);
        yield { response: { case: "name", value: imageRef } };
      },
    },
    lifecycle: {
      async *upgrade({ source }, context) {
        asked.push(["install", nodeOf(context), source?.imageName]);
        if (nodeOf(context) === "c") throw new OsError({ kind: "failed-precondition", message: "no disk" });
        yield { progress: { response: { case: "message", value: "writing\nbootloader\n" } } };
        yield { progress: { response: { case: "exitCode", value: exitCode } } };
      },
    },
  });
}

const image = "example.org/installer:v1.13.9";

describe("upgrade", () => {
  it("pulls and installs on all nodes, reboots them, and follows them", async () => {
    const asked: unknown[] = [];
    await using node = await startMachine(asked);
    const { out, err, code } = await node.run("upgrade", "--drain=false", "-i", image, "-m", "powercycle", "-n", "a,b");
    assert.deepEqual([out, code], ["", 0]);
    assert.deepEqual(asked, [
      ...["a", "b"].map((name) => ["pull", name, image, ContainerDriver.CRI, ContainerdNamespace.NS_SYSTEM]),
      ...["a", "b"].map((name) => ["install", name, image]),
      ["reboot", ["a", "b"], RebootRequest_Mode.POWERCYCLE],
    ]);
    for (const name of ["a", "b"])
      for (const text of [`pulled ${image}`, "writing", "bootloader", "upgrade completed", "is down", "is ready"])
        assert.ok(err.includes(`${name}: ${text}\n`), `${name}: ${text} in ${err}`);
  });

  it("drains before the reboot and takes the cordon back", async () => {
    const asked: unknown[] = [];
    await using server = await startTestApiServer(({ path }) =>
      path === "/api/v1/pods" ? { items: [], metadata: {} } : { metadata: { name: "worker-1" }, spec: {} },
    );
    await using node = await startMachine(asked, { kubeconfig: kubeconfigFor(server.access) });
    const { err, code } = await node.run("upgrade", "--wait=false", "-i", image, "-n", "a");
    assert.equal(code, 0);
    const order = ["upgrade completed", "cordon node worker-1", "drained node worker-1", "is down", "is ready"];
    assert.deepEqual(
      order.map((text) => err.indexOf(text)).toSorted((a, b) => a - b),
      order.map((text) => err.indexOf(text)),
    );
    const patches = server.requests.filter(({ method }) => method === "PATCH").map(({ body }) => JSON.stringify(body));
    assert.equal(patches.length, 2);
    assert.match(patches[0] ?? "", /"unschedulable":true/);
    assert.match(patches[1] ?? "", /"unschedulable":null/);
  });

  it("--no-reboot installs only, from the namespace that is named", async () => {
    const asked: unknown[] = [];
    await using node = await startMachine(asked);
    const { code } = await node.run("upgrade", "--no-reboot", "--namespace", "inmem", "-i", image, "-n", "a");
    assert.equal(code, 0);
    assert.deepEqual(asked, [
      ["pull", "a", image, ContainerDriver.CONTAINERD, ContainerdNamespace.NS_SYSTEM],
      ["install", "a", image],
    ]);
  });

  it("neither drains nor reboots when an installer fails, and names every node that failed", async () => {
    const asked: unknown[] = [];
    await using node = await startMachine(asked, { exitCode: 3 });
    for (const nodes of ["a,c", "c,a"]) {
      const { err, code } = await node.run("upgrade", "-i", image, "-n", nodes);
      assert.equal(code, 1);
      assert.match(err, /^error during upgrade: /m);
      assert.match(err, /error from node a: upgrade failed with exit code 3/);
      assert.match(err, /error from node c: .*no disk/);
      assert.match(err, /\nnext: /);
    }
    assert.ok(!asked.some((each) => Array.isArray(each) && each[0] === "reboot"));
  });

  it("refuses nodes in containers before anything is pulled", async () => {
    const asked: unknown[] = [];
    await using node = await startMachine(asked, { mode: "container" });
    const { err, code } = await node.run("upgrade", "-n", "a");
    assert.equal(code, 1);
    assert.match(err, /error from node a: upgrade is not supported in container mode\nnext: talosctl cluster /);
    assert.deepEqual(asked, []);
  });
});

describe("upgrade of machines before v1.13", () => {
  const request = { preserve: false, stage: false, force: false, rebootMode: UpgradeRequest_RebootMode.DEFAULT };
  for (const [tag, legacy] of [
    ["v1.12.4", true],
    ["v1.13.0-alpha.2", true],
    ["v1.13.0-alpha.3", false],
    ["v1.14.0-alpha.0", false],
  ] as const) {
    it(`${tag} ${legacy ? "goes by the one call, and says so" : "has the new API"}`, async () => {
      const asked: unknown[] = [];
      await using node = await startMachine(asked, { tag });
      const { err, code } = await node.run("upgrade", "--drain=false", "--wait=false", "-i", image, "-n", "a");
      assert.equal(code, 0);
      assert.equal(err.includes("New upgrade API is not available, falling back to legacy"), legacy);
      if (legacy) assert.deepEqual(asked, [["legacy", image, request]]);
      else assert.deepEqual(asked.at(-1), ["reboot", ["a"], RebootRequest_Mode.DEFAULT]);
    });
  }
  it("--legacy passes its own flags, and follows the machine", async () => {
    const asked: unknown[] = [];
    await using node = await startMachine(asked);
    const { err, code } = await node.run("upgrade", "--legacy", "-fps", "-m", "powercycle", "-i", image, "-n", "a");
    assert.deepEqual([err, code], ["a: Upgrade request received\na: is down\na: is ready\n", 0]);
    const all = { preserve: true, stage: true, force: true, rebootMode: UpgradeRequest_RebootMode.POWERCYCLE };
    assert.deepEqual(asked, [["legacy", image, all]]);
  });
  it("refuses flags that would change nothing, or exclude each other", async () => {
    const asked: unknown[] = [];
    await using node = await startMachine(asked);
    for (const [words, message] of [
      [["--stage"], /cannot use --stage without --legacy/],
      [["--legacy", "--no-reboot"], /cannot use --no-reboot and --legacy together/],
      [["--legacy", "--insecure"], /cannot use --wait and --insecure together/],
      [["--legacy", "-m", "force"], /Cannot use "force" for --reboot-mode/],
    ] as const) {
      const { err, code } = await node.run("upgrade", ...words, "-n", "a");
      assert.equal(code, 1);
      assert.match(err, message);
    }
    assert.deepEqual(asked, []);
  });
});
