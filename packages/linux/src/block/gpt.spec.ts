import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { encodeGpt, gptUsableBytes } from "./gpt.ts";

const mib = 1024 ** 2;
const linux = "0FC63DAF-8483-4772-8E79-3D69D8477DE4";
const diskBytes = 100 * mib;
const partitions = [
  { type: linux, label: "META", startBytes: mib, sizeBytes: mib },
  { type: linux, label: "STATE", startBytes: 2 * mib, sizeBytes: 50 * mib },
];

describe("encodeGpt()", () => {
  it("writes a table that blkid reads, also from the copy alone", async (context) => {
    if (spawnSync("blkid", ["-V"]).error !== undefined) return context.skip("there is no blkid on this machine");
    const folder = await mkdtemp(join(tmpdir(), "gpt-"));
    try {
      const path = join(folder, "disk");
      const { head, tail, tailBytes } = encodeGpt(diskBytes, partitions);
      await using disk = await open(path, "w+");
      await disk.truncate(diskBytes);
      await disk.write(head, 0, head.length, 0);
      await disk.write(tail, 0, tail.length, tailBytes);
      const probe = (): string => String(spawnSync("blkid", ["-p", "-o", "export", path]).stdout);
      assert.match(probe(), /^PTTYPE=gpt$/m);
      // Without the first header only the copy at the end is left.
      await disk.write(Buffer.alloc(512), 0, 512, 512);
      assert.match(probe(), /^PTTYPE=gpt$/m);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
  it("refuses partitions that overlap or do not fit", () => {
    const { end } = gptUsableBytes(diskBytes);
    const last = { type: linux, label: "EPHEMERAL", startBytes: 52 * mib, sizeBytes: end - 52 * mib };
    encodeGpt(diskBytes, [...partitions, last]);
    for (const wrong of [
      { ...last, startBytes: 51 * mib },
      { ...last, sizeBytes: last.sizeBytes + mib },
      { ...last, sizeBytes: 0 },
    ]) {
      assert.throws(() => encodeGpt(diskBytes, [...partitions, wrong]), { code: "gpt/out-of-range" });
    }
  });
});
