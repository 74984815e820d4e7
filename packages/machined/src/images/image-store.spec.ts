import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isKind, OsError, systemClock } from "@talos-ts/base";
import { noRegistrySettings } from "@talos-ts/oci";
import { createImageStore } from "./image-store.ts";

// What containerd does is tested against a real one, in `test/integration/node-images.spec.ts`.
describe("createImageStore()", () => {
  it("T-39: logs every failure of a pull that is tried again, and fails in the end", async () => {
    const root = await mkdtemp(join(tmpdir(), "images-"));
    const lines: string[] = [];
    const told: string[] = [];
    let now = 0;
    const clock = {
      ...systemClock,
      monotonic: () => now,
      sleep: async (ms: number) => void (now += ms),
    };
    const images = createImageStore({
      registries: async () => noRegistrySettings,
      log: (line) => lines.push(line),
      root,
      clock,
      retryForMs: 5000,
    });
    const ensured = images.ensure("reg.test/a:v1", { namespace: "system", report: (line) => told.push(line) });
    await assert.rejects(ensured, (err) => isKind(err, "unavailable"));
    assert.ok(lines.length >= 2);
    for (const line of lines) assert.match(line, /^retrying error: /);
    assert.deepEqual(
      told,
      lines.map((line) => `R${line.slice(1)}`),
    );
    await rm(root, { recursive: true });
  });
  it("starts a pull anew for whoever comes after the last one has left", async () => {
    let asked = 0;
    const first = Promise.withResolvers<void>();
    const registries = async (signal?: AbortSignal) => {
      asked += 1;
      if (asked > 1) throw new OsError({ kind: "unavailable", message: "the second pull" });
      first.resolve();
      // Ends only with a delay after it was told to, as a call to containerd does.
      return await new Promise<never>((_resolve, reject) => {
        signal?.addEventListener("abort", () => setImmediate(() => reject(new Error("the first pull"))));
      });
    };
    const images = createImageStore({ registries, log: assert.fail, root: "/nowhere" });
    const abort = new AbortController();
    const left = images.pull("reg.test/a:v1", { namespace: "system", signal: abort.signal });
    await first.promise;
    abort.abort();
    await assert.rejects(left, (err) => isKind(err, "cancelled"));
    await assert.rejects(images.pull("reg.test/a:v1", { namespace: "system" }), /the second pull/);
  });
  it("does not try a reference again that is none", async () => {
    const images = createImageStore({ registries: async () => noRegistrySettings, log: assert.fail, root: "/nowhere" });
    await assert.rejects(images.ensure("NOT A NAME", { namespace: "cri" }), (err) => isKind(err, "invalid-argument"));
  });
});
