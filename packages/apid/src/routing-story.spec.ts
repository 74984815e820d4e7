import assert from "node:assert/strict";
import { createServer as createTcp, type Socket } from "node:net";
import { before, describe, it } from "node:test";
import { createChannel, createClient, type ClientTlsMaterial } from "@talos-ts/grpc";
import { freePort } from "@talos-ts/host/testing";
import { maxMessageBytes, metadataKeys } from "@talos-ts/machinery/constants";
import { roles } from "@talos-ts/machinery/roles";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { createCluster, type Cluster } from "./testing/authority.ts";
import { connect, createNode } from "./testing/node.ts";

let cluster: Cluster;
let admin: ClientTlsMaterial;
let port: number;
before(async () => {
  cluster = await createCluster();
  admin = await cluster.user(roles.admin);
  port = await freePort();
});

const one = "127.78.0.1";
const two = "127.78.0.2";
const silent = "127.78.0.8";

/** A node that takes connections and never says a word, as one whose apid is frozen. */
async function frozenNode(): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createTcp((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise<void>((listening) => server.listen(port, silent, listening));
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

describe("routing between nodes", () => {
  it("reaches a node over a new connection when an administrator asks for one", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using second = await createNode({ cluster, address: two, port });
    await using administrator = connect(first, { material: admin });
    await using reader = connect(first, { material: await cluster.user(roles.reader) });
    const ask = async ({ client }: typeof reader, fresh: boolean): Promise<void> => {
      const metadata = { node: two, ...(fresh && { [metadataKeys.freshConnection]: "true" }) };
      await client.version({}, { metadata });
    };
    await ask(administrator, false);
    await ask(administrator, false);
    await ask(reader, true);
    await ask(administrator, true);
    const callers = second.lines.flatMap((line) => /"from":"([^"]+)"/.exec(line)?.[1] ?? []);
    assert.equal(callers.length, 4);
    assert.equal(new Set(callers.slice(0, 3)).size, 1);
    assert.notEqual(callers[3], callers[0]);
  });

  it("asks its own machined for itself, as another node would, and over the network where that is the question", async () => {
    await using node = await createNode({ cluster, address: one, port });
    await using caller = connect(node, { material: admin });
    const audited = (): number => node.lines.filter((line) => line.startsWith("audit ")).length;
    const { messages } = await caller.client.version({}, { metadata: { nodes: [one] } });
    assert.equal(messages[0]?.metadata?.hostname, one);
    assert.deepEqual(node.machined.received.at(-1)?.getAll(metadataKeys.role), [roles.admin]);
    assert.deepEqual(node.machined.received.at(-1)?.getAll(metadataKeys.nodes), []);
    await caller.client.version({}, { metadata: { node: one } });
    assert.equal(audited(), 2, "no second apid took part");
    await caller.client.version({}, { metadata: { node: one, [metadataKeys.freshConnection]: "1" } });
    assert.equal(audited(), 4, "it came in once more");
    await caller.client.version({}, { metadata: { nodes: [one, one, one] } });
    assert.equal(audited(), 8, "each of several is a call to be counted");
  });

  it("does not let a node that says nothing hold up the streams of others", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using _second = await createNode({ cluster, address: two, port });
    await using _frozen = await frozenNode();
    await using caller = connect(first, { material: admin });
    const open = caller.client.logs({}, { metadata: { nodes: [one, silent, two] } });
    const hosts = [await open.next(), await open.next()].map(({ value }) => value?.metadata?.hostname ?? "");
    assert.deepEqual(new Set(hosts), new Set([one, two]));
    await open.return?.();
  });

  it("answers with what others said before the caller's deadline, and with the failure of the one that said nothing", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using _second = await createNode({ cluster, address: two, port });
    await using _frozen = await frozenNode();
    await using caller = connect(first, { material: admin });
    const call = caller.client.version({}, { metadata: { nodes: [one, silent, two] }, timeoutMs: 8000 });
    const { messages } = await call;
    // The order of names, although the second was the last.
    assert.deepEqual(
      messages.map(({ metadata }) => metadata?.hostname),
      [one, silent, two],
    );
    const byNode = new Map(messages.map((message) => [message.metadata?.hostname, message]));
    assert.equal(byNode.get(one)?.version?.tag, one);
    assert.equal(byNode.get(two)?.version?.tag, two);
    assert.match(byNode.get(silent)?.metadata?.error ?? "", /code = (?:DeadlineExceeded|Unavailable)/);
  });

  it("tells machined of the far node how much time the caller has, and when it goes away", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using second = await createNode({ cluster, address: two, port });
    await using caller = connect(first, { material: admin });
    for (const metadata of [{ node: two }, { nodes: [two] }]) {
      await caller.client.version({}, { metadata, timeoutMs: 600_000 });
      const leftMs = (second.machined.deadlines.at(-1) ?? 0) - Date.now();
      assert.ok(leftMs > 400_000 && leftMs <= 600_000, String(leftMs));
    }
    await caller.client.version({}, { metadata: { node: two } });
    assert.equal(second.machined.deadlines.at(-1), undefined);
    const open = caller.client.logs({}, { metadata: { node: two } });
    await open.next();
    await open.return?.();
    await second.machined.cancelled;
  });

  it("carries messages of up to 32 MiB between nodes, and refuses larger ones", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using _second = await createNode({ cluster, address: two, port });
    await using channel = createChannel({
      target: first.target,
      tls: { material: admin },
      maxReceiveBytes: 2 * maxMessageBytes,
    });
    const client = createClient(MachineService, channel);
    const read = async (bytes: number, metadata: Record<string, string | string[]>): Promise<number> => {
      let size = 0;
      for await (const message of client.read({ path: String(bytes) }, { metadata })) size += message.bytes.length;
      return size;
    };
    const largest = maxMessageBytes - 64;
    for (const metadata of [{}, { node: two }, { nodes: [two] }]) assert.equal(await read(largest, metadata), largest);
    await assert.rejects(read(maxMessageBytes + 1, { node: two }), { kind: "resource-exhausted" });
    assert.equal(await read(10, { node: two }), 10);
  });

  it("sends a call that was forwarded to no further node", async () => {
    await using first = await createNode({ cluster, address: one, port });
    await using second = await createNode({ cluster, address: two, port });
    const peer = await cluster.user(roles.impersonator);
    await using forwarder = connect(first, { material: peer });
    const metadata = { nodes: [two], node: two, proxyfrom: "127.78.0.3", "talos-role": roles.admin };
    const { messages } = await forwarder.client.version({}, { metadata });
    assert.deepEqual(
      messages.map(({ version }) => version?.tag),
      [one],
    );
    assert.deepEqual(second.machined.received, []);
  });
});
