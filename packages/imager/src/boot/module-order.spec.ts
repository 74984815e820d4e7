import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOrder } from "./module-order.ts";

const table = `kernel/fs/squashfs/squashfs.ko.xz: kernel/lib/zstd.ko.xz kernel/lib/xxhash.ko.xz
kernel/lib/zstd.ko.xz: kernel/lib/xxhash.ko.xz
kernel/lib/xxhash.ko.xz:
kernel/drivers/net/virtio-net.ko.xz: kernel/lib/xxhash.ko.xz
`;

test("moduleOrder() puts modules behind those they need, each once", () => {
  assert.deepEqual(moduleOrder(table, ["squashfs", "virtio_net"]), [
    "kernel/lib/xxhash.ko.xz",
    "kernel/lib/zstd.ko.xz",
    "kernel/fs/squashfs/squashfs.ko.xz",
    "kernel/drivers/net/virtio-net.ko.xz",
  ]);
});

test("moduleOrder() names a module that the kernel lacks", () => {
  assert.throws(() => moduleOrder(table, ["loop"]), { code: "image/no-module", message: /"loop"/ });
});
