import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deathReason } from "./death-reason.ts";

const quiet = { outOfMemory: false, memoryLimitBytes: 2 * 1024 ** 3, console: "[talos] all is well\n" };
const killed = { exitCode: undefined, signal: 9 };

describe("deathReason()", () => {
  it("names the signal or the status", () => {
    assert.equal(deathReason(killed, quiet), "killed by SIGKILL");
    assert.equal(deathReason({ exitCode: 7, signal: undefined }, quiet), "exited with status 7");
  });
  it("says when the kernel does not tell", () => {
    assert.match(deathReason(undefined, quiet), /does not tell/);
  });
  it("knows the kernel that needed memory from somebody with kill", () => {
    assert.equal(
      deathReason(killed, { ...quiet, outOfMemory: true }),
      "killed by the kernel: out of memory (limit 2048 MiB)",
    );
  });
  it("quotes the last words on the console", () => {
    const console = "<--- JS stacktrace --->\n[12:0x1] FATAL ERROR: Reached heap limit Allocation failed\nmore\n";
    assert.equal(
      deathReason({ exitCode: undefined, signal: 6 }, { ...quiet, console }),
      "killed by SIGABRT: Reached heap limit Allocation failed",
    );
  });
});
