import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { metadataKeys } from "@talos-ts/machinery/constants";
import { MachineConfig, MachineConfigHistory } from "@talos-ts/machinery/resources/config";
import { ApplyConfigurationRequest_Mode as Mode, type ApplyConfigurationRequest } from "@talos-ts/proto/machine/config";
import { startFakeNode } from "../testing/index.ts";

const main = "version: v1alpha1\nmachine:\n  type: worker\n  token: abc\ncluster: {}\n";
const link = (mtu: number): string => `---\napiVersion: v1alpha1\nkind: LinkConfig\nname: eth0\nmtu: ${String(mtu)}\n`;
const mtuPatch = "apiVersion: v1alpha1\nkind: LinkConfig\nname: eth0\nmtu: 1400\n";

async function start(keep: (attempt: number) => boolean = () => true) {
  const requests: ApplyConfigurationRequest[] = [];
  const fresh: boolean[] = [];
  const confirming: boolean[] = [];
  const node = await startFakeNode({
    types: [MachineConfig, MachineConfigHistory],
    machine: {
      applyConfiguration: async (request, { metadata }) => {
        requests.push(request);
        fresh.push(metadata.get(metadataKeys.freshConnection) !== undefined);
        confirming.push(metadata.get(metadataKeys.confirmTrial) !== undefined);
        const attempts = requests.filter(({ mode }) => mode === Mode.NO_REBOOT).length;
        if (request.mode === Mode.NO_REBOOT && !keep(attempts)) {
          throw new OsError({ kind: "unavailable", code: "test/lost", message: "the node does not answer" });
        }
        return { messages: [{ mode: request.mode, warnings: [], modeDetails: `mode ${Mode[request.mode]}` }] };
      },
    },
  });
  const annotations = { "talos.dev/yaml-spec": "1" };
  await node.state.create(
    createResource(MachineConfig, MachineConfig.ids.active, `${main}${link(1500)}`, { annotations }),
  );
  const modes = () => requests.map(({ mode }) => Mode[mode]);
  const run = (...argv: readonly string[]) => node.run(...argv, "--nodes", "127.0.0.1");
  return { ...node, run, requests, fresh, confirming, modes, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() };
}

const quick = ["--confirm-settle", "0s"];

describe("applyToNode()", () => {
  it("tries a change of the network first, and keeps it over a new connection", async () => {
    await using node = await start();
    const result = await node.run("patch", "mc", "--patch", mtuPatch, ...quick);
    assert.equal(result.code, 0, result.err);
    assert.deepEqual(node.modes(), ["TRY", "NO_REBOOT"]);
    assert.deepEqual(node.fresh, [false, true], "the endpoint connects to the node anew");
    assert.deepEqual(node.confirming, [false, true], "a node that went back refuses the second");
    assert.equal(node.requests[0]?.tryModeTimeout?.seconds, 120n);
    assert.match(result.err, /on trial \(LinkConfig eth0\): kept once the node is reached again, reverted after 2m0s/);
    assert.match(result.err, /reached over a new connection, the configuration is kept/);
    assert.match(result.err, /mode NO_REBOOT/);
  });
  it("asks again until the node answers", async () => {
    await using node = await start((attempt) => attempt >= 2);
    const result = await node.run("patch", "mc", "--patch", mtuPatch, ...quick);
    assert.equal(result.code, 0, result.err);
    assert.deepEqual(node.modes(), ["TRY", "NO_REBOOT", "NO_REBOOT"]);
  });
  it("says that the node goes back when it was not reached in time", async () => {
    await using node = await start(() => false);
    const result = await node.run("patch", "mc", "--patch", mtuPatch, "--confirm", "1ms", ...quick);
    assert.notEqual(result.code, 0);
    assert.match(result.err, /was not reached within 1ms after the change, and reverts to its previous configuration/);
    assert.match(result.err, /config-history/);
  });
  it("gives up at once when the node has gone back already", async () => {
    const error = {
      kind: "failed-precondition",
      code: "config/trial-over",
      message: "no configuration is on trial",
    } as const;
    await using node = await start(() => {
      throw new OsError(error);
    });
    const result = await node.run("patch", "mc", "--patch", mtuPatch, ...quick);
    assert.match(result.err, /was not reached within 2m0s after the change, and reverts.*no configuration is on trial/);
    assert.deepEqual(node.modes(), ["TRY", "NO_REBOOT"]);
  });
  it("keeps other changes at once, and every change with --confirm=0", async () => {
    await using node = await start();
    await node.run("patch", "mc", "--patch", "machine: {sysctls: {a: b}}", ...quick);
    await node.run("patch", "mc", "--patch", mtuPatch, "--confirm", "0", ...quick);
    assert.deepEqual(node.modes(), ["AUTO", "AUTO"]);
  });
  it("tries any change when asked, also from a file", async () => {
    await using node = await start();
    const file = join(node.folder, "config.yaml");
    await writeFile(file, `${main.replace("abc", "def")}${link(1500)}`);
    const result = await node.run("apply-config", "-f", file, "--confirm", "30s", ...quick);
    assert.equal(result.code, 0, result.err);
    assert.deepEqual(node.modes(), ["TRY", "NO_REBOOT"]);
    assert.equal(node.requests[0]?.tryModeTimeout?.seconds, 30n);
  });
});

describe("config-history", () => {
  const entry = (number: number, config: string) =>
    createResource(MachineConfigHistory, String(number), {
      readySince: "2026-06-01T12:00:00.000Z",
      digest: "0123",
      config,
    });

  it("lists what a node was ready with, and restores one of them on trial", async () => {
    await using node = await start();
    await node.state.create(entry(9, `${main}${link(1300)}`));
    await node.state.create(entry(10, `${main}${link(1500)}`));
    const list = await node.run("config-history");
    assert.equal(list.code, 0, list.err);
    const rows = list.out
      .trim()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    assert.deepEqual(
      rows.map((row) => row.slice(1)),
      [
        ["NUMBER", "READY SINCE", "DIGEST", "ACTIVE", "CHANGES"],
        ["9", "2026-06-01T12:00:00.000Z", "0123", "false"],
        ["10", "2026-06-01T12:00:00.000Z", "0123", "true", "+1 -1"],
      ],
    );
    const changed = (await node.run("config-history", "diff", "9")).out;
    assert.match(changed, /^--- 127\.0\.0\.1 in effect\n\+\+\+ 127\.0\.0\.1 number 9\n/);
    assert.match(changed, /-mtu: 1500\n\+mtu: 1300/);
    assert.equal((await node.run("config-history", "show", "9")).out, `${main}${link(1300)}`);
    const both = await node.run("config-history", "show", "9", "-n", "b");
    assert.match(both.out, /^# b\nversion: v1alpha1\n[^]*\n---\n# 127\.0\.0\.1\nversion: v1alpha1\n/);
    const restored = await node.run("config-history", "restore", "9", ...quick);
    assert.equal(restored.code, 0, restored.err);
    assert.deepEqual(node.modes(), ["TRY", "NO_REBOOT"]);
    assert.equal(Buffer.from(node.requests[1]?.data ?? []).toString(), `${main}${link(1300)}`);
  });
  it("says which configurations there are when one is not", async () => {
    await using node = await start();
    await node.state.create(entry(3, main));
    const result = await node.run("config-history", "restore", "7");
    assert.match(result.err, /has no configuration number "7"; it keeps 3/);
  });
});
