import assert from "node:assert/strict";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { runTool } from "./run-tool.ts";

const node = process.execPath;

test("runTool returns what a program printed and hands lines on as they come", async () => {
  const lines: string[] = [];
  const { stdout } = await runTool(node, ["-e", "console.log('a\\nb')"], { onLine: (line) => lines.push(line) });
  assert.equal(stdout, "a\nb\n");
  assert.deepEqual(lines, ["a", "b"]);
});

test("runTool writes the input", async () => {
  const { stdout } = await runTool(node, ["-e", "process.stdin.pipe(process.stdout)"], { input: "hello" });
  assert.equal(stdout, "hello");
});

test("runTool names the program that is missing", async () => {
  await assert.rejects(
    runTool("no-such-program", []),
    (err) => isCode(err, "tool/missing") && err.details["command"] === "no-such-program",
  );
});

test("runTool ends its message with the last lines of standard error", async () => {
  await assert.rejects(
    runTool(node, ["-e", "console.error('first');console.error('disk is full');process.exit(3)"]),
    (err) => isCode(err, "tool/failed") && err.message.endsWith("expected status 0, got 3: first | disk is full"),
  );
});

test("runTool rejects with the reason of an aborted signal", async () => {
  const abort = new AbortController();
  const running = runTool(node, ["-e", "setInterval(() => {}, 1000); console.log('up')"], {
    signal: abort.signal,
    onLine: () => abort.abort(new Error("stop")),
  });
  await assert.rejects(running, /stop/);
});
