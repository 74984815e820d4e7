import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isCode } from "@talos-ts/base";
import { lockCluster } from "./cluster-lock.ts";

const root = await mkdtemp(join(tmpdir(), "provision-lock-"));
after(() => rm(root, { recursive: true }));

test("lockCluster refuses a second holder and names the first, until it is disposed", async () => {
  const path = join(root, "a.lock");
  {
    await using _held = await lockCluster(path);
    await assert.rejects(
      lockCluster(path),
      (err) => isCode(err, "provision/locked") && err.details["pid"] === process.pid,
    );
  }
  await using _again = await lockCluster(path);
});

test("lockCluster takes over from a process that is gone, or whose number was used again", async () => {
  const path = join(root, "b.lock");
  for (const stale of ["4194305 123", `${process.pid} 1`, "garbage"]) {
    await writeFile(path, stale);
    await using _held = await lockCluster(path);
  }
  assert.deepEqual(await readdir(root), []);
});
