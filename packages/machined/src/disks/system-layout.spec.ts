import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeGpt } from "@talos-ts/linux";
import { systemLayout } from "./system-layout.ts";

test("systemLayout() gives EPHEMERAL what META and STATE leave", () => {
  const bytes = 6 * 1024 ** 3;
  const layout = systemLayout("/dev/vda", bytes);
  assert.deepEqual(
    layout.map(({ label }) => label),
    ["META", "STATE", "EPHEMERAL"],
  );
  assert.ok((layout.at(-1)?.sizeBytes ?? 0) > bytes - 110 * 1024 ** 2);
  encodeGpt(bytes, layout);
});

test("systemLayout() refuses a disk that is too small", () => {
  assert.throws(() => systemLayout("/dev/vda", 512 * 1024 ** 2), { code: "install/disk-too-small" });
});
