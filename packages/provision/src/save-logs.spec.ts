import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { createGunzip } from "node:zlib";
import { readTar } from "@talos-ts/base";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { saveClusterLogs } from "./save-logs.ts";

describe("saveClusterLogs()", () => {
  it("packs logs of processes and consoles of nodes, and nothing that nodes keep", async () => {
    await using folder = await temporaryDirectory();
    const cluster = join(folder.path, "demo");
    const files = {
      "supervisor.log": "started\n",
      "state.json": "{}",
      "nodes/demo-worker-1/console.log": "booting\n",
      "nodes/demo-worker-1/volumes/var/log/pods.log": "secret\n",
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(cluster, name)), { recursive: true });
      await writeFile(join(cluster, name), text);
    }
    const archive = join(folder.path, "out/logs.tar.gz");
    const names = ["nodes/demo-worker-1/console.log", "supervisor.log"];
    assert.deepEqual(await saveClusterLogs(cluster, archive), names);
    const found: Record<string, string> = {};
    for await (const entry of readTar(createReadStream(archive).pipe(createGunzip()))) {
      if (entry.type !== "file") continue;
      let text = "";
      for await (const chunk of entry.content) text += Buffer.from(chunk).toString();
      found[entry.name] = text;
    }
    assert.deepEqual(found, { [names[0] ?? ""]: "booting\n", [names[1] ?? ""]: "started\n" });
  });
});
