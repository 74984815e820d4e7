import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startFakeNode } from "../../testing/fake-node.ts";

test("cluster list shows an empty table, and names a folder that holds no cluster", async () => {
  await using node = await startFakeNode();
  const state = join(node.folder, "clusters");
  assert.deepEqual(await node.run("cluster", "list", "--state", state), {
    out: "NAME   STATE   NODES   NETWORK   ENDPOINT\n",
    err: "",
    code: 0,
  });
  await mkdir(join(state, "stray"), { recursive: true });
  const { out, err } = await node.run("cluster", "list", "--state", state, "-o", "json");
  assert.equal(out, "[]\n");
  assert.match(err, /^WARNING: stray: /);
});
