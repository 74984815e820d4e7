import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isKind, systemClock } from "@talos-ts/base";
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
  it("does not try a reference again that is none", async () => {
    const images = createImageStore({ registries: async () => noRegistrySettings, log: assert.fail, root: "/nowhere" });
    await assert.rejects(images.ensure("NOT A NAME", { namespace: "cri" }), (err) => isKind(err, "invalid-argument"));
  });
});
