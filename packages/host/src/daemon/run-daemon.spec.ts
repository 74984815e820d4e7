import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";

/** Runs a daemon in a process of its own; `end` is sent as soon as it has written a line. */
async function daemon(body: string, end?: NodeJS.Signals): Promise<{ out: string; err: string; code: number | null }> {
  const script = `import { runDaemon } from ${JSON.stringify(import.meta.resolve("./run-daemon.ts"))}; await runDaemon("testd", ${body});`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "pipe"] });
  if (end !== undefined) child.stdout.once("data", () => child.kill(end));
  const exit = once(child, "exit");
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await exit) as [number | null];
  return { out, err, code };
}

describe("runDaemon()", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    it(`lets the daemon end in its own time after ${signal}`, async () => {
      const body = `async ({ signal, log }) => {
        const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
        const alive = setInterval(() => undefined, 1000);
        log("ready");
        await ended;
        clearInterval(alive);
        log("bye");
      }`;
      const { out, code } = await daemon(body, signal);
      assert.match(out, /^\S+Z ready\n\S+Z bye\n$/);
      assert.equal(code, 0);
    });
  }
  it("names the process for lists of processes", async () => {
    const { out } = await daemon(`async ({ log }) => {
      const { readFileSync } = await import("node:fs");
      log([readFileSync("/proc/self/comm", "utf8").trim(), readFileSync("/proc/self/cmdline", "utf8").replace(/\\0+$/, "")].join());
    }`);
    assert.match(out, / testd,testd\n$/);
  });
  it("writes what was logged before an exception that nobody caught", async () => {
    const { out, code } = await daemon(`async ({ log }) => {
      setImmediate(() => { log("last words"); throw new Error("unexpected"); });
      await new Promise(() => setInterval(() => undefined, 1000));
    }`);
    assert.match(out, /^\S+Z last words\n$/);
    assert.notEqual(code, 0);
  });
  it("exits with 1 and the reason when the daemon fails", async () => {
    const { err, code } = await daemon(`async () => { throw new Error("no socket"); }`);
    assert.match(err, /no socket/);
    assert.equal(code, 1);
  });
});
