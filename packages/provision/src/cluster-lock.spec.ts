import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isCode } from "@talos-ts/base";
import { lockCluster } from "./cluster-lock.ts";

const root = await mkdtemp(join(tmpdir(), "provision-lock-"));
after(() => rm(root, { recursive: true }));

test("lockCluster refuses a second process and names the first", async () => {
  const directory = join(root, "a");
  await using _held = await lockCluster(directory);
  await assert.rejects(
    lockCluster(directory),
    (err) => isCode(err, "provision/locked") && err.details["pid"] === process.pid,
  );
});
