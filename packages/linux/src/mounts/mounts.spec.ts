import { OsError } from "@talos-ts/base";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRandom } from "@talos-ts/base/testing";
import { mutate } from "../conformance/mutate.ts";
import { mountFlags, parseMountOptions } from "./mount-options.ts";
import { parseMountInfo, parseMountInfoLine } from "./mountinfo.ts";

describe("parseMountOptions()", () => {
  it("splits flags from data and lets the later name win", () => {
    assert.deepEqual(parseMountOptions(["ro,nosuid", "size=64m", "rw", "mode=755"]), {
      flags: mountFlags.MS_NOSUID,
      data: "size=64m,mode=755",
    });
  });
  it("takes names of Object.prototype as data", () => {
    assert.deepEqual(parseMountOptions(["constructor"]), { flags: 0n, data: "constructor" });
  });
});

const line = String.raw`36 35 98:0 /mnt1 /mnt\0402 rw,noatime master:1 shared:7 - ext3 /dev/root rw,errors=continue`;

describe("parseMountInfoLine()", () => {
  it("reads tags, escapes and both kinds of options", () => {
    assert.deepEqual(parseMountInfoLine(line), {
      id: 36,
      parentId: 35,
      device: "98:0",
      root: "/mnt1",
      target: "/mnt 2",
      options: ["rw", "noatime"],
      propagation: ["shared", "slave"],
      peerGroup: 7,
      master: 1,
      type: "ext3",
      source: "/dev/root",
      superOptions: ["rw", "errors=continue"],
    });
  });
  it("meets random and damaged lines only with typed errors", () => {
    const random = createRandom(7);
    for (let round = 0; round < 20_000; round++) {
      const bytes = round % 4 === 0 ? random.bytes(random.below(60)) : mutate(random, Buffer.from(line));
      try {
        parseMountInfo(bytes.toString("latin1"));
      } catch (err) {
        assert.ok(err instanceof OsError, String(err));
      }
    }
  });
});
