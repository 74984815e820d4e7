import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const sources = join(import.meta.dirname, "go-cosi");
const server = join(import.meta.dirname, "../../packages/cosi/src/bin/cosi-state.ts");

/** The Go side, built once per state of its sources. */
async function buildClient(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(sources)).sort()) {
    hash.update(name).update("\0");
    hash.update(await readFile(join(sources, name)));
  }
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "talos-ts", "interop");
  const binary = join(cache, `go-cosi-${hash.digest("hex").slice(0, 16)}`);
  try {
    await access(binary);
  } catch {
    await mkdir(cache, { recursive: true });
    const partial = `${binary}.${process.pid}`;
    await run("go", ["test", "-c", "-o", partial, "."], { cwd: sources });
    await rename(partial, binary);
  }
  return binary;
}

describe("a Go client of a COSI state", () => {
  let binary = "";
  let directory = "";

  before(async () => {
    binary = await buildClient();
    directory = await mkdtemp(join(tmpdir(), "cosi-interop-"));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  /** A server of its own for each test: the suites expect an empty state. */
  async function withServer(listen: string, test: (target: string) => Promise<void>): Promise<void> {
    const child: ChildProcess = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", server, "--listen", listen],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const exited = once(child, "exit");
    try {
      assert.ok(child.stdout !== null);
      const lines = createInterface({ input: child.stdout });
      const [target] = (await once(lines, "line")) as [string];
      await test(target);
    } finally {
      child.kill("SIGTERM");
      await exited;
    }
    assert.equal(child.exitCode, 0);
  }

  async function runGo(target: string, pattern: string): Promise<string> {
    const { stdout } = await run(binary, ["-test.v", "-test.run", pattern], {
      env: { ...process.env, COSI_TARGET: target },
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  }

  it("passes the conformance suite of the Go implementation over a unix socket", async () => {
    await withServer(`unix://${join(directory, "conformance.sock")}`, async (target) => {
      const report = await runGo(target, "^TestConformance$");
      assert.match(report, /^--- PASS: TestConformance/m);
      assert.ok((report.match(/^ {4}--- PASS/gm) ?? []).length >= 20, report);
      assert.doesNotMatch(report, /--- (?:FAIL|SKIP)/);
    });
  });

  it("sees every conflict, foreign specs, bookmarks and queries as it expects over TCP", async () => {
    await withServer("tcp://127.0.0.1:0", async (target) => {
      const report = await runGo(target, "^Test(?:Conflicts|ForeignSpec|Watch)$");
      assert.equal((report.match(/^--- PASS/gm) ?? []).length, 3, report);
    });
  });
});
