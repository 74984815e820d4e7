import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";

const program = join(import.meta.dirname, "../../bin/cosi-state.mjs");

function run(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [program, ...args], {
    encoding: "utf8",
    timeout: 120_000,
  });
}

describe("cosi-state", () => {
  it("explains itself", () => {
    const { status, stdout, stderr } = run("--help");
    assert.equal(status, 0);
    assert.equal(stderr, "");
    assert.match(stdout, /^Usage: cosi-state --listen <address>/);
    assert.equal(run().status, 2);
  });
  it("says what is wrong with an address and what to try", () => {
    const { status, stderr } = run("--listen", "http://x");
    assert.equal(status, 1);
    assert.match(
      stderr,
      /Cannot listen on "http:\/\/x": expected "unix:\/\/\/path" or "tcp:\/\/host:port"\nTry: cosi-state --help/,
    );
  });
});
