import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { isCode, type Clock } from "@talos-ts/base";
import { planCluster } from "./cluster-plan.ts";
import { waitForNodes } from "./wait-for-nodes.ts";

const base = planCluster({ name: "a" }, "/clusters");
const plan = { ...base, nodes: base.nodes.map((node) => Object.assign({}, node, { address: "127.0.0.1" })) };

test("waitForNodes resolves when every node accepts connections", async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const seen: string[] = [];
  const { port } = server.address() as AddressInfo;
  await waitForNodes(plan, { signal: new AbortController().signal, port }, (event) => seen.push(event.state));
  server.close();
  assert.deepEqual(seen, ["start", "step", "step", "done"]);
});

test("waitForNodes names the nodes that do not answer", async () => {
  const abort = new AbortController();
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async () => abort.abort(),
  };
  // Port 1 of the loopback is closed on every sane machine.
  await assert.rejects(
    waitForNodes(plan, { signal: abort.signal, port: 1, clock }, () => {}),
    (err) => isCode(err, "provision/not-ready") && err.message.endsWith("no answer from a-controlplane-1, a-worker-1"),
  );
});
