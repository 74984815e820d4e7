import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeGpt } from "@talos-ts/linux";
import { partitionDevice, systemLayout } from "./system-layout.ts";

test("systemLayout() gives EPHEMERAL what the others leave", () => {
  const bytes = 6 * 1024 ** 3;
  const layout = systemLayout("/dev/vda", bytes);
  assert.deepEqual(
    layout.map(({ label }) => label),
    ["EFI", "META", "STATE", "EPHEMERAL"],
  );
  assert.ok((layout.at(-1)?.sizeBytes ?? 0) > bytes - 2210 * 1024 ** 2);
  encodeGpt(bytes, layout);
});

test("systemLayout() refuses a disk that is too small", () => {
  assert.throws(() => systemLayout("/dev/vda", 3 * 1024 ** 3), { code: "install/disk-too-small" });
});

test("partitionDevice() keeps the number of a disk and that of its partition apart", () => {
  assert.deepEqual(
    [partitionDevice("/dev/vda", 1), partitionDevice("/dev/nvme0n1", 2)],
    ["/dev/vda1", "/dev/nvme0n1p2"],
  );
});
