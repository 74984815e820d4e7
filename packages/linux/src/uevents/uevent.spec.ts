import { OsError } from "@talos-ts/base";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRandom } from "@talos-ts/base/testing";
import { mutate } from "../conformance/mutate.ts";
import { parseUevent } from "./uevent.ts";

const message = Buffer.from("add@/devices/x/net/eth0\0ACTION=add\0SUBSYSTEM=net\0INTERFACE=eth0\0EMPTY=\0");

describe("parseUevent()", () => {
  it("reads action, path and values", () => {
    const uevent = parseUevent(message);
    assert.equal(uevent.action, "add");
    assert.equal(uevent.devicePath, "/devices/x/net/eth0");
    assert.equal(uevent.subsystem, "net");
    assert.equal(uevent.values.get("EMPTY"), "");
  });
  it("refuses what udevd sends", () => {
    assert.throws(() => parseUevent(Buffer.from("libudev\0\xfe\xed")), { code: "uevent/malformed" });
  });
  it("meets random and damaged bytes only with typed errors", () => {
    const random = createRandom(3);
    for (let round = 0; round < 20_000; round++) {
      try {
        parseUevent(round % 4 === 0 ? random.bytes(random.below(60)) : mutate(random, message));
      } catch (err) {
        assert.ok(err instanceof OsError, String(err));
      }
    }
  });
});
