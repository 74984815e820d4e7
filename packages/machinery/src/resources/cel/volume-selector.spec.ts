import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DiscoveredVolume } from "../block/discovered-volume.ts";
import { Disk } from "../block/disk.ts";
import { volumeSelector } from "./volume-selector.ts";

const volume = DiscoveredVolume.spec({ partitionLabel: "MY-DATA", name: "ext4", size: 2 * 1024 ** 3 });
const disk = Disk.spec({ serial: "abc" });

describe("volumeSelector()", () => {
  for (const [text, chosen] of [
    ['volume.partition_label == "MY-DATA"', true],
    ['volume.name == "ext4" && disk.serial == "abc" && volume.size == 2u * GiB', true],
    ['volume.label == "x"', false],
  ] as const) {
    it(`evaluates ${text}`, () => assert.equal(volumeSelector(text)(volume, disk), chosen));
  }
  it("says which expression it cannot evaluate", () => {
    assert.throws(() => volumeSelector("volume.size >"), { code: "resource/expression-failed" });
  });
});
