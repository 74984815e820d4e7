import { toBinary } from "@bufbuild/protobuf";
import { equalSpecs } from "@talos-ts/cosi";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parse, stringify } from "yaml";
import { PlatformConfig } from "./network/index.ts";
import { resourceTypes } from "./resource-types.ts";
import { createRandom } from "@talos-ts/base/testing";
import { randomMessage } from "./testing/random-message.ts";
import { messageOf } from "./testing/spec-messages.ts";

/** Types that hold keys, certificates, expressions or the like, which print does not tell whole. */
const forReadingOnly = /^it is printed without all it says$|: it is printed without all it says$/;

describe("fromPlain", () => {
  for (const { type, codec, body } of resourceTypes) {
    const message = messageOf(type);
    if (message === undefined) continue;
    test(`${type} comes back from YAML, or says that it cannot`, () => {
      const random = createRandom(7);
      for (let round = 0; round < 10; round++) {
        const spec = codec.decode(toBinary(message, randomMessage(message, random, round === 0 ? "full" : "sparse")));
        const plain: unknown = parse(stringify(codec.toPlain(spec)));
        try {
          assert.ok(equalSpecs(body.fromPlain?.(plain), spec), JSON.stringify([plain, body.fromPlain?.(plain)]));
        } catch (err) {
          if (!forReadingOnly.test((err as Error).message)) throw err;
        }
      }
    });
  }

  test("reads a whole platform configuration", () => {
    const message = messageOf(PlatformConfig.type);
    assert.ok(message);
    const spec = PlatformConfig.codec.decode(toBinary(message, randomMessage(message, createRandom(8), "full")));
    assert.deepEqual(PlatformConfig.body.fromPlain(parse(stringify(PlatformConfig.codec.toPlain(spec)))), spec);
  });

  for (const [text, message] of [
    ["[]", /^expected a mapping, got \[\]$/],
    ["addresses: 7", /^addresses: expected a list, got 7$/],
    ["addresses: [{address: 10.5.0.2}]", /^addresses: 0: address: "10\.5\.0\.2" is not an address with a prefix/],
    ["links: [{mtu: -1}]", /^links: 0: mtu: expected a whole number from 0 to 4294967295, got -1$/],
    ["addresses: [{flags: 'permanent,odd'}]", /^addresses: 0: flags: expected some of /],
    ["hostnames: [{layer: odd}]", /^hostnames: 0: layer: "odd" is not a ConfigLayer$/],
    ["probes: [{interval: soon}]", /^probes: 0: interval: time: invalid duration/],
  ] as const) {
    test(`says what is wrong with ${text}`, () => {
      assert.throws(() => PlatformConfig.body.fromPlain(parse(text)), { message });
    });
  }

  test("takes what is absent, or null, for zero, and ignores what it does not know", () => {
    assert.deepEqual(PlatformConfig.body.fromPlain({ addresses: null, future: 1 }), PlatformConfig.spec());
  });
});
