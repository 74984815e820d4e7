import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

/** Anonymous memory of a process of its own, in KiB, that freed all but every hundredth of many small native blocks. */
const script = `
  import { readFileSync } from "node:fs";
  import { releaseFreeMemory } from ${JSON.stringify(import.meta.resolve("./release-free-memory.ts"))};
  const ffi = process.getBuiltinModule("node:ffi");
  const { malloc, free, memset } = new ffi.DynamicLibrary(null).getFunctions({
    malloc: { arguments: ["u64"], return: "u64" },
    free: { arguments: ["u64"], return: "void" },
    memset: { arguments: ["u64", "i32", "u64"], return: "u64" },
  });
  const anonymous = () => Number(/^RssAnon:\\s+(\\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]);
  const blocks = Array.from({ length: 4000 }, () => malloc(16_384n));
  for (const block of blocks) memset(block, 1, 16_384n);
  for (const [index, block] of blocks.entries()) if (index % 100 !== 99) free(block);
  const before = anonymous();
  releaseFreeMemory();
  console.log(JSON.stringify({ before, after: anonymous() }));`;

test("releaseFreeMemory gives back the holes between blocks that are in use", async () => {
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { before, after } = JSON.parse(stdout) as { before: number; after: number };
  assert.ok(before - after > 30_000, `${String(before)} KiB before, ${String(after)} KiB after`);
});
