import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { failWith, startTestApiServer } from "@talos-ts/kubernetes/testing";
import { createNodeProgress } from "../output/node-progress.ts";
import { kubeconfigFor, startRebootingNode } from "../testing/rebooting-node.ts";

const mark = "talos.dev/cordoned-by";
const cordon = { metadata: { annotations: { [mark]: "talosctl" } }, spec: { unschedulable: true } };
const uncordon = { metadata: { annotations: { [mark]: null } }, spec: { unschedulable: null } };

describe("reboot --drain", () => {
  it("cordons, evicts, waits for the reboot even with --wait=false, and uncordons", async () => {
    const gone = new Set<string>();
    const pod = { metadata: { name: "web", namespace: "default", uid: "1" }, status: { phase: "Running" } };
    await using server = await startTestApiServer(({ method, path }, response) => {
      if (path === "/api/v1/pods") return { items: [pod], metadata: {} };
      if (path === "/api/v1/nodes/worker-1") return { metadata: { name: "worker-1" }, spec: {} };
      if (method === "POST") return gone.add(path) && {};
      return gone.size > 0 ? failWith(response, 404, "NotFound") : pod;
    });
    await using node = await startRebootingNode(kubeconfigFor(server.access));
    const { out, err, code } = await node.run("reboot", "--drain", "--wait=false", "-n", "a");
    assert.deepEqual([out, code], ["", 0]);
    assert.equal(
      err,
      "a: cordon node worker-1\na: evicting pod default/web\na: drained node worker-1\na: is down\na: is ready\n",
    );
    const patches = server.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
    assert.deepEqual(patches, [cordon, uncordon]);
  });

  it("takes a cordon of its own back that a former call left, and no other", async () => {
    for (const [annotations, expected] of [
      [{ [mark]: "talosctl" }, [uncordon]],
      [{}, []],
    ] as const) {
      await using server = await startTestApiServer(({ path }) =>
        path === "/api/v1/pods"
          ? { items: [], metadata: {} }
          : { metadata: { name: "worker-1", annotations }, spec: { unschedulable: true } },
      );
      await using node = await startRebootingNode(kubeconfigFor(server.access));
      assert.equal((await node.run("reboot", "--drain", "-n", "a")).code, 0);
      const patches = server.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
      assert.deepEqual(patches, expected);
    }
  });

  it("takes the cordon back and does not reboot when a pod stays", async () => {
    const pod = { metadata: { name: "web", namespace: "default", uid: "1" }, status: { phase: "Running" } };
    await using server = await startTestApiServer(({ method, path }, response) => {
      if (path === "/api/v1/pods") return { items: [pod], metadata: {} };
      if (path === "/api/v1/nodes/worker-1") return { metadata: { name: "worker-1" }, spec: {} };
      return method === "POST" ? failWith(response, 500, "InternalError", "webhook") : pod;
    });
    await using node = await startRebootingNode(kubeconfigFor(server.access));
    const { err, code } = await node.run("reboot", "--drain", "-n", "a");
    assert.equal(code, 1);
    assert.match(err, /^error draining nodes: 1 pods could not be removed from node "worker-1"$/m);
    assert.doesNotMatch(err, /is down/);
    const patches = server.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
    assert.deepEqual(patches.at(-1), uncordon);
  });
});

describe("reboot --rolling", () => {
  it("waits for every node, so that --wait=false is refused", async () => {
    await using node = await startRebootingNode();
    const { err, code } = await node.run("reboot", "--rolling", "--wait=false", "-n", "a");
    assert.equal(code, 1);
    assert.match(err, /cannot use --rolling and --wait=false together/);
  });
});

describe("reboot --debug", () => {
  it("shows the kernel log on the error output, and follows the machine", async () => {
    await using node = await startRebootingNode();
    const { out, err, code } = await node.run("reboot", "--debug", "--wait=false", "-n", "a");
    assert.deepEqual([out, code], ["", 0]);
    assert.match(err, /^a: kernel: kern: info: \[now\]: hello\n/);
    assert.match(err, /a: is down\n[^]*a: is ready\n/);
  });
});

describe("reboot --progress", () => {
  const show = (progress: string, isTerminal: boolean): string => {
    let text = "";
    const out = (part: string | Uint8Array): void => void (text += String(part));
    const io = { out, err: out, env: {}, isTerminal, columns: 80 };
    using shown = createNodeProgress({ io, options: { progress } });
    shown.tell("a", "phase stop");
    shown.tell("b", "phase stop");
    shown.tell("a", "is down");
    return text;
  };
  it("writes every step as a line, unless it is for a terminal", () => {
    const lines = "a: phase stop\nb: phase stop\na: is down\n";
    assert.equal(show("plain", true), lines);
    assert.equal(show("auto", false), lines);
  });
  it("keeps one line for each node on a terminal", () => {
    const clear = "\u001b[K";
    assert.equal(
      show("auto", true),
      `${clear}a: phase stop\n` +
        `\u001b[1A${clear}a: phase stop\n${clear}b: phase stop\n` +
        `\u001b[2A${clear}a: is down\n${clear}b: phase stop\n`,
    );
  });
});
