import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { build, type BuildOptions } from "esbuild";

const run = promisify(execFile);

/** Ways in which bundlers may rewrite functions; what travels as text must survive each. */
const styles: Readonly<Record<string, BuildOptions>> = {
  "minified, names kept": { minify: true, keepNames: true },
  "minified, names lost": { minify: true, keepNames: false },
  "whole, names kept": { keepNames: true },
};

/** Calls that need no privileges: one on a thread, one that fails there, one command through the helper, one it cannot find. */
const program = `
  import { callOnThread } from "./ffi/thread.ts";
  import { spawnInNamespaces } from "./namespaces/spawn-in-namespaces.ts";
  import { text } from "node:stream/consumers";
  const pageSize = 30;
  const { results } = await callOnThread([{ name: "sysconf", arguments: [pageSize] }]);
  const { failed } = await callOnThread([{ name: "close", arguments: [-1] }]);
  const ended = async (command, args) => {
    const child = spawnInNamespaces({ command, arguments: args });
    const [out, report] = await Promise.all([text(child.stdout), text(child.stdio[3])]);
    return { out, report };
  };
  const found = await ended("echo", ["hello"]);
  const lost = await ended("no-such-command", []);
  console.log(JSON.stringify({ positive: results[0] > 0n, failed, found, lost: JSON.parse(lost.report) }));
`;

describe("threadMain() and helperMain()", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "linux-bundle-"));
  });
  after(() => rm(folder, { recursive: true }));

  for (const [style, options] of Object.entries(styles)) {
    it(`work in a bundle (${style})`, async () => {
      const outfile = join(folder, `${style}.mjs`);
      await build({
        ...options,
        stdin: { contents: program, resolveDir: import.meta.dirname, loader: "ts" },
        outfile,
        bundle: true,
        format: "esm",
        platform: "node",
        target: "node26",
        logLevel: "silent",
      });
      const { stdout } = await run(process.execPath, ["--disable-warning=ExperimentalWarning", outfile]);
      assert.deepEqual(JSON.parse(stdout), {
        positive: true,
        failed: { index: 0, errno: 9 },
        found: { out: "hello\n", report: "" },
        lost: { step: 'find command "no-such-command"', errno: 2 },
      });
    });
  }
});
