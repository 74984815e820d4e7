import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startFakeNode } from "../testing/fake-node.ts";

it("talosctl pcap ends well when its time is over, with what came until then", async () => {
  await using node = await startFakeNode({
    machine: {
      async *packetCapture(_request, { signal }) {
        yield { bytes: Buffer.from("packets") };
        await pause(60_000, undefined, { signal });
      },
    },
  });
  const file = join(node.folder, "eth0.pcap");
  const { err, code } = await node.run("pcap", "-n", "a", "--duration", "300ms", "--output", file);
  assert.deepEqual([err, code], ["", 0]);
  assert.equal(await readFile(file, "utf8"), "packets");
});
