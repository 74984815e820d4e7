import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { Diagnostic } from "@talos-ts/machinery/resources/runtime";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { MachineService } from "@talos-ts/proto/machine/machine";
import { readZip } from "../support/testing.ts";
import { deadNode, startFakeNode } from "../testing/fake-node.ts";

const failedAt = Date.UTC(2026, 0, 2, 3, 4, 5);

const machine: ServiceImpl<typeof MachineService> = {
  version(_request, { metadata }) {
    if (metadata.get("node") === deadNode) throw new OsError({ kind: "unavailable", message: "no route" });
    return { messages: [{ version: { tag: "v1.13.9" } }] };
  },
  serviceList: () => ({
    messages: [
      {
        services: [
          {
            id: "etcd",
            state: "Failed",
            events: { events: [{ state: "Failed", msg: "disk <full>", ts: timestampFromMs(failedAt) }] },
            health: { unknown: false, healthy: false, lastMessage: "" },
          },
        ],
      },
    ],
  }),
  async *logs({ id }) {
    if (id !== "etcd") throw new OsError({ kind: "not-found", message: `log "${id}" was not registered` });
    yield { bytes: Buffer.from("2026-01-02T03:04:04Z error: no space\n") };
  },
  async *dmesg() {
    yield { bytes: Buffer.from("kern: info: [2026-01-02T03:04:05Z]: fine\n") };
  },
  mounts: () => ({ messages: [{ stats: [] }] }),
};

describe("support", () => {
  it("writes one archive of all nodes, without secrets, and tells what could not be had", async () => {
    await using node = await startFakeNode({ machine, types: [MachineConfig, Diagnostic] });
    await node.state.create(createResource(MachineConfig, MachineConfig.ids.active, "token: very-secret"));
    await node.state.create(createResource(Diagnostic, "disk", Diagnostic.spec({ message: "the disk is full" })));
    const output = join(node.folder, "support.zip");
    const { code, err } = await node.run("--nodes", `10.5.0.2,${deadNode}`, "support", "-O", output);
    assert.equal(code, 0, err);
    assert.match(err, new RegExp(`Support bundle is written to ${output}\n`));
    assert.match(err, /10\.5\.0\.99 +node +no route/);
    const files = readZip(await readFile(output));
    for (const name of ["dmesg.log", "mounts", "summary", "service-logs/etcd.log", "service-logs/etcd.state"])
      assert.ok(files.has(`10.5.0.2/${name}`), name);
    const config = files.get("10.5.0.2/resources/machineconfigs.config.talos.dev.yaml");
    assert.match(config ?? "", /<REDACTED>/);
    assert.ok([...files.values()].every((text) => !text.includes("very-secret")));
    const page = files.get("index.html") ?? "";
    assert.match(
      page,
      /What was wrong first<\/h2>\n<p>the earliest trouble of a service that is not healthy now \(etcd\)/,
    );
    assert.match(page, /error: no space/);
    assert.match(page, /disk &lt;full&gt;/);
    assert.match(page, /the disk is full/);
    assert.match(page, /10\.5\.0\.99 \(<span class="bad">did not answer/);
    assert.ok(!/src=|@import|https?:/.test(page), "the page needs nothing from elsewhere");
  });

  it("replaces a file only when told so", async () => {
    await using node = await startFakeNode({ machine, types: [MachineConfig, Diagnostic] });
    const output = join(node.folder, "talosconfig");
    const { code, err } = await node.run("--nodes", "10.5.0.2", "support", "-O", output);
    assert.notEqual(code, 0);
    assert.match(err, /already exists, overwrite\?/);
  });
});
