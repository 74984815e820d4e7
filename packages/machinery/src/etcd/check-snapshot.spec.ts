import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { checkSnapshot, type CheckSnapshotOptions, type SnapshotStatus } from "./check-snapshot.ts";

/** Made by etcd 3.6.16 with 150 writes to 70 keys; the numbers are those that `etcdutl snapshot status` prints for it. */
const expected: SnapshotStatus = { hash: "9ceaae9e", revision: 151n, totalKeys: 70, totalSize: 53_248 };

describe("checkSnapshot()", () => {
  let snapshot: Buffer;
  before(async () => {
    const compressed = await readFile(new URL("testdata/snapshot-v3.6.db.gz", import.meta.url));
    snapshot = gunzipSync(compressed);
  });

  async function status(bytes: Buffer, options?: CheckSnapshotOptions): Promise<SnapshotStatus> {
    await using folder = await temporaryDirectory();
    const path = join(folder.path, "db");
    await writeFile(path, bytes);
    return await checkSnapshot(path, options);
  }

  it("T-43: tells hash, revision, keys and size as etcd's own tool does", async () => {
    assert.deepEqual(await status(snapshot), expected);
  });

  it("takes a plain database only when told that it has no checksum", async () => {
    const plain = snapshot.subarray(0, -32);
    await assert.rejects(status(plain), {
      code: "etcd/bad-snapshot",
      message: "sha256 checksum not found (size 53248)",
    });
    assert.deepEqual(await status(plain, { skipHashCheck: true }), expected);
  });

  it("finds a flipped bit", async () => {
    const damaged = Buffer.from(snapshot);
    damaged.writeUInt8(damaged.readUInt8(30_000) ^ 1, 30_000);
    await assert.rejects(status(damaged), { code: "etcd/bad-snapshot", message: /^expected sha256 / });
  });

  it("uses the second header when the first is damaged", async () => {
    const damaged = Buffer.from(snapshot);
    damaged.fill(0, 0, 80);
    const { totalSize } = await status(damaged, { skipHashCheck: true });
    assert.equal(totalSize, expected.totalSize);
  });

  it("ends with an answer or a refusal, whatever the bytes are", async () => {
    let seed = 7;
    const random = (limit: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return seed % limit;
    };
    for (let round = 0; round < 60; round += 1) {
      const damaged = Buffer.from(snapshot.subarray(0, 1 + random(snapshot.length)));
      for (let flips = random(40); flips > 0; flips -= 1) {
        // Headers of pages decide where reading goes on.
        const at = (random(13) * 4096 + random(64)) % damaged.length;
        damaged.writeUInt8(random(256), at);
      }
      await status(damaged, { skipHashCheck: true }).catch((err: unknown) => {
        assert.ok(err instanceof Error);
        assert.ok("code" in err && err.code === "etcd/bad-snapshot", String(err));
      });
    }
  });
});
