import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { startClockChild } from "./clock-child.ts";
import { eventually } from "../integration/cluster-support.ts";
import { isGone, whileStopped } from "./stopped-process.ts";

const stateOf = async (pid: number): Promise<string> =>
  /^State:\s+(\S)/m.exec(await readFile(`/proc/${String(pid)}/status`, "utf8"))?.[1] ?? "";

describe("whileStopped", () => {
  it("stops every thread, tells where each goes on, and lets the process go on", async () => {
    await using child = await startClockChild();
    const addresses = await whileStopped(child.pid, async (found) => {
      assert.equal(await stateOf(child.pid), "T");
      return found;
    });
    // Node.js has threads of its own for compiling and files.
    assert.ok(addresses.length > 1 && addresses.every((address) => address > 0));
    await child.clocks();
  });
  it("lets the process go on when the work fails", async () => {
    await using child = await startClockChild();
    await assert.rejects(
      whileStopped(child.pid, () => Promise.reject(new Error("no"))),
      /no/,
    );
    await child.clocks();
  });
  it("leaves a process stopped that was stopped before", async () => {
    await using child = await startClockChild();
    process.kill(child.pid, "SIGSTOP");
    await eventually(
      () => stateOf(child.pid),
      (state) => state === "T",
    );
    await whileStopped(child.pid, async () => undefined);
    assert.equal(await stateOf(child.pid), "T");
  });
  it("fails for a process that is gone", async () => {
    const child = await startClockChild();
    await child[Symbol.asyncDispose]();
    await assert.rejects(
      whileStopped(child.pid, async () => undefined),
      isGone,
    );
  });
});
