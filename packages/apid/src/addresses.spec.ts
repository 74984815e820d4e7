import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseListenAddress } from "./listen-address.ts";
import { targetAddress } from "./target.ts";

describe("targetAddress()", () => {
  it("adds the port to names and addresses", () => {
    const expected: Readonly<Record<string, string>> = {
      "10.5.0.2": "10.5.0.2:50000",
      "fd00::2": "[fd00::2]:50000",
      "[fd00::2]": "[fd00::2]:50000",
      "fe80::1%eth0": "[fe80::1%eth0]:50000",
      "node-1": "node-1:50000",
      "node-1.example.org": "node-1.example.org:50000",
    };
    for (const [target, address] of Object.entries(expected)) assert.equal(targetAddress(target, 50_000), address);
  });
  it("refuses empty targets, ports, and anything that could mean something else", () => {
    const targets = [
      "",
      "10.5.0.2:50000",
      "[fd00::2]:50000",
      "a:1",
      "unix:/x",
      "unix:///x",
      "dns:///a",
      "a b",
      "a/b",
      "-a",
    ];
    for (const target of targets) {
      assert.throws(() => targetAddress(target, 50_000), {
        kind: "internal",
        message: `invalid target ${JSON.stringify(target)}`,
      });
    }
  });
});

describe("parseListenAddress()", () => {
  it("reads addresses with and without a host", () => {
    assert.deepEqual(parseListenAddress(":50000"), { host: "", port: 50_000 });
    assert.deepEqual(parseListenAddress("10.5.0.2:50000"), { host: "10.5.0.2", port: 50_000 });
    assert.deepEqual(parseListenAddress("[fd00::1]:50001"), { host: "fd00::1", port: 50_001 });
  });
  it("refuses everything else", () => {
    for (const text of [
      "",
      "50000",
      "name:50000",
      "10.5.0.2",
      "10.5.0.2:",
      "fd00::1:50000",
      "[10.5.0.2]:1",
      ":70000",
    ]) {
      assert.throws(() => parseListenAddress(text), { code: "apid/listen-address" }, text);
    }
  });
});
