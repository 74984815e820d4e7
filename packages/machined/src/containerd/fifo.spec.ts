import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createLogRing } from "../logs/log-ring.ts";
import { readFifo } from "./fifo.ts";

describe("readFifo()", () => {
  it("drains what was written before the event loop could read it, and removes the pipe", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fifo-"));
    using _cleanup = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
    const path = join(folder, "stdout");
    execFileSync("mkfifo", [path]);
    const log = createLogRing();
    {
      await using reader = readFifo(path, log);
      writeFileSync(path, "first\nlast\n");
      reader.drain();
      assert.deepEqual(log.lastLines(2), ["first", "last"]);
      reader.drain();
      assert.deepEqual(log.lastLines(9), ["first", "last"]);
    }
    assert.equal(existsSync(path), false);
  });
});
