import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import {
  createResource,
  createResourceRegistry,
  createStateClient,
  resourceDefinitionOf,
  isAlreadyExists,
  isInvalidBookmark,
  isNotFound,
  isOwnerConflict,
  isPendingFinalizers,
  isPhaseConflict,
  isVersionConflict,
  resourceDefinitionType,
  withMetadata,
  wrapCore,
} from "@talos-ts/cosi";
import { brief, readEvents } from "@talos-ts/cosi/conformance";
import { createChannel } from "@talos-ts/grpc";
import { buildGoModule } from "../../scripts/lib/go-module.ts";

const run = promisify(execFile);
const sources = join(import.meta.dirname, "go-cosi");
const server = join(import.meta.dirname, "../../packages/cosi/src/bin/cosi-state.ts");

describe("a Go client of a COSI state", () => {
  let binary = "";
  let directory = "";

  before(async () => {
    binary = await buildGoModule(sources, { kind: "test" });
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

describe("a client of a Go state server", () => {
  let directory = "";
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "cosi-interop-"));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it("reads, writes, watches and understands every refusal", async () => {
    const socket = join(directory, "go.sock");
    const child = spawn(await buildGoModule(sources, { kind: "test" }), ["-test.run", "^TestServe$"], {
      env: { ...process.env, COSI_LISTEN: socket },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    await once(createInterface({ input: child.stdout }), "line");
    const channel = createChannel({ target: `unix://${socket}` });
    try {
      const registry = createResourceRegistry([resourceDefinitionType]);
      const state = wrapCore(createStateClient(channel, { registry, watchRetry: false }));
      const spec = resourceDefinitionOf({
        type: "Strangers.example.org",
        defaultNamespace: "x",
        sensitivity: "sensitive",
      });
      const wanted = createResource(resourceDefinitionType, "strangers", spec, { labels: { a: "1" } });
      const { metadata: pointer } = wanted;

      await assert.rejects(state.get(pointer), (err) => isNotFound(err, { type: pointer.type }));
      await using events = readEvents(await state.watchKind(pointer, { bootstrapContents: true }));
      const start = await events.next();
      assert.equal(start.type, "bootstrapped");

      const stored = await state.create(wanted, { owner: "one" });
      assert.deepEqual(stored.spec, spec);
      assert.deepEqual([stored.metadata.version, stored.metadata.owner], [1, "one"]);
      await assert.rejects(state.create(wanted), (err) => isAlreadyExists(err));
      await assert.rejects(state.update(stored), (err) => isOwnerConflict(err));
      const stale = withMetadata(stored, { version: 5 });
      await assert.rejects(state.update(stale, { owner: "one" }), (err) => isVersionConflict(err));
      await state.addFinalizer(pointer, "held");
      assert.equal(await state.teardown(pointer, { owner: "one" }), false);
      const torn = await state.get(pointer);
      await assert.rejects(state.update(torn, { owner: "one" }), (err) => isPhaseConflict(err));
      await assert.rejects(state.destroy(pointer, { owner: "one" }), (err) => isPendingFinalizers(err));
      const labels = [{ terms: [{ key: "a", op: "lte-numeric" as const, values: ["1k"], invert: false }] }];
      assert.equal((await state.list(pointer, { labels, id: /^STRANGE/i })).length, 1);
      await state.removeFinalizer(pointer, "held");
      await state.teardownAndDestroy(pointer, { owner: "one" });

      const expected = ["created strangers@1", "updated strangers@1→2", "updated strangers@2→3"];
      expected.push("updated strangers@3→4", "destroyed strangers@4");
      assert.deepEqual((await events.take(5)).map(brief), expected);
      const startFromBookmark = Uint8Array.from(start.bookmark ?? []);
      await using resumed = readEvents(await state.watchKind(pointer, { startFromBookmark }));
      assert.deepEqual((await resumed.take(5)).map(brief), expected);
      startFromBookmark[0] = (startFromBookmark[0] ?? 0) ^ 0xff;
      await assert.rejects(state.watchKind(pointer, { startFromBookmark }), (err) => isInvalidBookmark(err));
    } finally {
      await channel.close();
      child.stdin.end();
      await exited;
    }
    assert.equal(child.exitCode, 0);
  });
});
