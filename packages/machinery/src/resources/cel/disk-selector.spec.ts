import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Disk } from "../block/disk.ts";
import { diskSelector } from "./disk-selector.ts";

const disk = Disk.spec({
  devPath: "/dev/vdb",
  size: 10 * 1024 ** 3,
  transport: "virtio",
  serial: "abc",
  symlinks: ["/dev/disk/by-id/x"],
});
const options = { glob: (pattern: string, text: string) => text.startsWith(pattern.replace("*", "")) };

describe("diskSelector()", () => {
  for (const [text, chosen] of [
    ['disk.transport == "virtio" && !system_disk', true],
    ["system_disk", false],
    ["disk.size > 9u * GiB && disk.size < 11u * GiB", true],
    ["disk.size > 11u * GB", false],
    ['glob("/dev/v*", disk.dev_path)', true],
    ['disk.symlinks.exists(s, s == "/dev/disk/by-id/x")', true],
    ["disk.rotational || disk.readonly", false],
  ] as const) {
    it(`evaluates ${text}`, () => assert.equal(diskSelector(text, options)(disk, false), chosen));
  }
  it("says which expression it cannot evaluate", () => {
    assert.throws(() => diskSelector("disk.size >", options), { code: "resource/expression-failed" });
    assert.throws(() => diskSelector("disk.nothing == 1", options)(disk, false), { message: /disk\.nothing == 1/ });
  });
});
