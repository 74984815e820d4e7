import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

/** Returns what a process of its own says of the pages of files it has mapped, in KiB, before and after. */
async function mappedPages(): Promise<{ before: number; after: number }> {
  const script = `
    import { readFileSync } from "node:fs";
    import http2 from "node:http2";
    import { releaseMemory } from ${JSON.stringify(import.meta.resolve("./release-memory.ts"))};
    const mapped = () => Number(/^RssFile:\\s+(\\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]);
    http2.createServer().listen(0, "127.0.0.1", function () {
      const before = mapped();
      releaseMemory();
      console.log(JSON.stringify({ before, after: mapped() }));
      this.close();
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  return JSON.parse(stdout) as { before: number; after: number };
}

test("releaseMemory lets go of most pages of the program, which goes on", async () => {
  const { before, after } = await mappedPages();
  assert.ok(after < before / 2, `${String(before)} KiB before, ${String(after)} KiB after`);
});
