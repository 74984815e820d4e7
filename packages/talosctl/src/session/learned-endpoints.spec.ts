import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { startFakeNode, type FakeNode } from "../testing/fake-node.ts";
import { furtherEndpoints } from "./learned-endpoints.ts";

/** The API has one port everywhere, so this node needs an address that is its own. */
const address = "127.61.0.2";
const dead = "127.0.0.1:1";

async function start(): Promise<FakeNode> {
  const node = await startFakeNode({
    listen: { host: address, port: 50_000 },
    addresses: [address],
    types: [Member],
    machine: { version: () => ({ messages: [{ version: { tag: "v1.13.9" } }] }) },
  });
  for (const [id, machineType, own] of [
    ["cp-1", "controlplane", address],
    ["w-1", "worker", "127.61.0.3"],
  ] as const) {
    await node.state.create(createResource(Member, id, Member.spec({ machineType, hostname: id, addresses: [own] })));
  }
  return node;
}

async function setEndpoint(node: FakeNode, from: string, to: string): Promise<void> {
  const path = join(node.folder, "talosconfig");
  await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
}

describe("learned endpoints", () => {
  it("reach the cluster when no endpoint of the context does, say so, and can be switched off", async () => {
    await using node = await start();
    assert.equal((await node.run("version", "-n", address)).code, 0);
    const kept = await readFile(join(node.folder, "endpoints.json"), "utf8");
    assert.deepEqual(Object.values(JSON.parse(kept) as Record<string, { addresses: unknown }>)[0]?.addresses, [
      address,
    ]);

    await setEndpoint(node, `${address}:50000`, dead);
    const failedOver = await node.run("version", "-n", address);
    assert.equal(failedOver.code, 0, failedOver.err);
    assert.match(failedOver.out, /v1\.13\.9/);
    assert.match(
      failedOver.err,
      /WARNING: no endpoint of the context answered \(127\.0\.0\.1:1\); connected to 127\.61\.0\.2:50000 instead, which the cluster named on \d{4}-/,
    );

    const off = await node.runWith({ TALOSCTL_LEARN_ENDPOINTS: "off" }, "version", "-n", address);
    assert.equal(off.code, 1);
    const named = await node.run("version", "-n", address, "-e", dead);
    assert.equal(named.code, 1);
  });

  it("are not used for a context with another CA", async () => {
    await using node = await start();
    assert.equal((await node.run("version", "-n", address)).code, 0);
    const path = join(node.folder, "endpoints.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/"test@[0-9a-f]+"/, '"test@0000000000000000"'));
    await setEndpoint(node, `${address}:50000`, dead);
    assert.equal((await node.run("version", "-n", address)).code, 1);
  });
});

describe("furtherEndpoints()", () => {
  it("leaves out what the context has", () => {
    const learned = { addresses: ["10.5.0.2", "10.5.0.3"], learned: "2026-01-01T00:00:00Z" };
    assert.deepEqual(furtherEndpoints(["10.5.0.2:50000", "cp.example.org"], learned), ["10.5.0.3"]);
    assert.deepEqual(furtherEndpoints(["10.5.0.2"], undefined), []);
  });
});
