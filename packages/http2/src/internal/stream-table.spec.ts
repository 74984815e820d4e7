import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { getHeapSpaceStatistics } from "node:v8";
import { defaultHttp2Limits } from "../limits.ts";
import { collectGarbage } from "../testing/collect-garbage.ts";
import { initialPeerSettings } from "./peer-settings.ts";
import type { StreamHost } from "./stream-state.ts";
import { StreamTable } from "./stream-table.ts";

describe("StreamTable", () => {
  it("lets go of what a closed stream held without a full collection", () => {
    const peer = initialPeerSettings();
    const host = {} as StreamHost;
    const table = new StreamTable({ role: "server", host, peer, limits: defaultHttp2Limits });
    const open: number[] = [];
    const calls = 16_384;
    const heldValues = 256;
    const openCall = (id: number): void => {
      const held = Array.from({ length: heldValues }, () => id);
      table.accept(id).sink = { data: () => held, end() {}, drain() {}, close() {} };
      open.push(id);
    };
    const closeOldest = (): void => {
      const stream = table.get(open.shift() ?? 0);
      if (stream !== undefined) table.remove(stream, "ended");
    };
    collectGarbage({ type: "major" });
    const before = oldBytes();
    for (let call = 0; call < calls; call += 1) {
      openCall(call * 2 + 1);
      if (open.length > 64) closeOldest();
      if (call % 1024 === 0) collectGarbage({ type: "minor" });
    }
    // At each of 16 collections some 64 calls are open; the others must be gone.
    const grown = oldBytes() - before;
    const ofAll = calls * heldValues * 8;
    assert.ok(grown < ofAll / 12, `${String(grown)} bytes of ${String(ofAll)} grew old`);
  });
});

function oldBytes(): number {
  const names = new Set(["old_space", "large_object_space"]);
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => names.has(name));
  return spaces.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
}
