import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compareKeys } from "../../yaml/key-order.ts";
import { formatMsAsGo } from "./duration.ts";
import { formatIp, parseIp } from "./ip-text.ts";
import { ipPort, ipPrefix } from "./ip.ts";
import { formatTime } from "./time.ts";
import { url } from "./url.ts";

test("formatDuration writes milliseconds as Go does", () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, "0s"],
    [17e-6, "17ns"],
    [-0.026807, "-26.807µs"],
    [2.5, "2.5ms"],
    [1500, "1.5s"],
    [90_000, "1m30s"],
    [3_600_000, "1h0m0s"],
    [129_600_005, "36h0m0.005s"],
  ];
  for (const [ms, text] of cases) assert.equal(formatMsAsGo(ms), text);
});

test("formatTime writes RFC 3339 with the digits there are", () => {
  assert.equal(formatTime(undefined), "0001-01-01T00:00:00Z");
  assert.equal(formatTime(1_700_000_000_000), "2023-11-14T22:13:20Z");
  assert.equal(formatTime(1_700_000_000_123.456), "2023-11-14T22:13:20.123456Z");
});

describe("IP addresses", () => {
  for (const text of [
    "",
    "10.5.0.2",
    "::",
    "::1",
    "2001:db8::1:0:0:1",
    "fe80::1%eth0",
    "::ffff:1.2.3.4",
    "1:2:3:4:5:6:7:8",
  ]) {
    test(`formatIp gives ${JSON.stringify(text)} back from its bytes`, () => {
      assert.equal(formatIp(parseIp(text)), text);
    });
  }
  test("parseIp accepts any spelling and formatIp writes the canonical one", () => {
    assert.equal(formatIp(parseIp("2001:0DB8:0:0::0001")), "2001:db8::1");
  });
  test("parseIp refuses what is not an address", () => {
    assert.throws(() => parseIp("10.5.0"), RangeError);
    assert.throws(() => parseIp("host"), RangeError);
  });
  test("formatIp refuses bytes that are not an address", () => {
    assert.throws(() => formatIp(new Uint8Array(5)), RangeError);
  });
  test("ipPrefix and ipPort refuse text without a number", async () => {
    const { BinaryWriter } = await import("@bufbuild/protobuf/wire");
    assert.throws(() => ipPrefix.write(new BinaryWriter(), "10.5.0.2"), RangeError);
    assert.throws(() => ipPort.write(new BinaryWriter(), "10.5.0.2"), RangeError);
  });
});

test("url prints its parts as Go does", () => {
  assert.equal(url.toPlain(""), null);
  assert.deepEqual(url.toPlain("https://user@h.example/a%2Fb?q=1#frag"), {
    scheme: "https",
    opaque: "",
    user: {},
    host: "h.example",
    path: "/a/b",
    fragment: "frag",
    rawquery: "q=1",
    rawpath: "/a%2Fb",
    rawfragment: "",
    forcequery: false,
    omithost: false,
  });
});

test("compareKeys orders names as Go's YAML does", () => {
  const ordered = " 1x A a-b a.b/c a1 a1b a1- a01 ab b eth2 eth10 x0 x00 x01 x10 é".split(" ");
  assert.deepEqual(ordered.toReversed().sort(compareKeys), ordered);
});
