import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { createManualClock, OsError } from "@talos-ts/base";
import { WatchResponseSchema, type WatchResponse } from "@talos-ts/proto/discovery/server";
import type { AffiliateSpec } from "../resources/cluster/index.ts";
import { decodeAffiliate, decodeEndpoint, encodeAffiliate, encodeEndpoint } from "./affiliate-message.ts";
import { createRoster, type Roster } from "./roster.ts";
import { createSeal } from "./seal.ts";
import { testAffiliate, testKey } from "./testing.ts";

const seal = createSeal(testKey);
const stranger = createSeal(testKey.map((byte) => byte ^ 0xff));

function message(...affiliates: readonly (readonly [string, AffiliateSpec])[]): WatchResponse {
  return create(WatchResponseSchema, {
    affiliates: affiliates.map(([id, spec]) => ({
      id,
      data: seal.seal(encodeAffiliate(spec)),
      endpoints: spec.kubespan.endpoints.map((endpoint) => seal.sealEndpoint(encodeEndpoint(endpoint))),
    })),
  });
}

function rosterOf(): {
  readonly roster: Roster;
  readonly notes: string[];
  readonly advance: (ms: number) => Promise<void>;
} {
  const notes: string[] = [];
  const clock = createManualClock();
  const note = (id: string, { code }: OsError): void => void notes.push(`${id} ${code}`);
  return { roster: createRoster({ seal, self: "me", note, clock }), notes, advance: (ms) => clock.advance(ms) };
}

const ids = ({ affiliates }: Roster): string => affiliates.map(({ nodeId }) => nodeId).join();

describe("createSeal()", () => {
  it("keeps data from those without the key, and makes the same endpoint the same bytes", () => {
    const plain = Buffer.from("text");
    assert.deepEqual(Buffer.from(seal.open(seal.seal(plain))), plain);
    assert.notDeepEqual(seal.seal(plain), seal.seal(plain));
    assert.throws(() => stranger.open(seal.seal(plain)), { code: "discovery/unreadable" });
    const endpoint = encodeEndpoint("[fd00::1]:51820");
    assert.deepEqual(seal.sealEndpoint(endpoint), seal.sealEndpoint(endpoint));
    assert.equal(seal.sealEndpoint(endpoint).length, 32);
    assert.equal(decodeEndpoint(seal.openEndpoint(seal.sealEndpoint(endpoint))), "[fd00::1]:51820");
  });
  it("refuses a key that AES does not have, without showing it", () => {
    assert.throws(
      () => createSeal(Buffer.from("hunter2")),
      (err: unknown) => {
        assert.ok(err instanceof OsError);
        assert.match(err.message, /"cluster.secret" has 7 bytes, expected 32/);
        assert.doesNotMatch(err.message, /hunter2/);
        return true;
      },
    );
  });
});

describe("createRoster()", () => {
  it("knows the others and not itself, until they are deleted", () => {
    const { roster, notes } = rosterOf();
    const [a, b] = [testAffiliate("a"), testAffiliate("b", { kubespan: {}, controlPlane: undefined })];
    assert.equal(roster.take(message(["a", a], ["me", testAffiliate("me")]), true), true);
    assert.equal(roster.take(message(["b", b]), false), true);
    assert.equal(roster.take(message(["b", b]), false), false, "nothing new");
    assert.deepEqual(roster.affiliates, [a, b]);
    const gone = create(WatchResponseSchema, { deleted: true, affiliates: [{ id: "a" }, { id: "unknown" }] });
    assert.equal(roster.take(gone, false), true);
    assert.deepEqual(roster.affiliates, [b]);
    assert.deepEqual(notes, []);
  });

  it("ignores what another key wrote and what is under a wrong id, and says so once", () => {
    const { roster, notes } = rosterOf();
    const foreign = { id: "x", data: stranger.seal(encodeAffiliate(testAffiliate("x"))), endpoints: [] };
    const exchanged = message(["y", testAffiliate("z")]).affiliates;
    const mixed = create(WatchResponseSchema, { affiliates: [foreign, ...exchanged] });
    for (let round = 0; round < 3; round += 1) assert.equal(roster.take(mixed, round === 0), false);
    assert.deepEqual(roster.affiliates, []);
    assert.deepEqual(notes, ["x discovery/unreadable", "y discovery/exchanged"]);
  });

  it("waits with an affiliate that has not said yet who it is", () => {
    const { roster, notes } = rosterOf();
    const [only] = message(["a", testAffiliate("a")]).affiliates;
    const early = create(WatchResponseSchema, { affiliates: [{ id: "a", endpoints: only?.endpoints ?? [] }] });
    assert.equal(roster.take(early, true), false);
    assert.deepEqual([ids(roster), notes.length], ["", 0]);
  });

  it("keeps members for a while that a service which started over does not know yet", async () => {
    const { roster, advance } = rosterOf();
    roster.take(message(["a", testAffiliate("a")], ["b", testAffiliate("b")]), true);
    assert.equal(roster.take(create(WatchResponseSchema), true), false);
    await advance(60_000);
    roster.take(message(["b", testAffiliate("b")]), false);
    assert.deepEqual([roster.expire(), ids(roster)], [false, "a,b"]);
    await advance(60_000);
    assert.deepEqual([roster.expire(), ids(roster)], [true, "b"]);
  });

  it("survives any bytes, and complains a bounded number of times", () => {
    const { roster, notes } = rosterOf();
    const random = randomBytes("roster");
    const below = (limit: number): number => random(4).readUInt32BE() % limit;
    const [good] = message(["a", testAffiliate("a")]).affiliates;
    const damage = (bytes: Uint8Array): Uint8Array => {
      const copy = Uint8Array.from(bytes.subarray(0, below(bytes.length + 1)));
      if (copy.length > 0) copy[below(copy.length)] = below(256);
      return copy;
    };
    for (let round = 0; round < 3000; round += 1) {
      const makers: readonly (() => Uint8Array)[] = [
        () => random(below(200)),
        () => damage(good?.data ?? random(1)),
        // Written by a member, and still nonsense.
        () => seal.seal(random(below(64))),
        () => seal.seal(damage(encodeAffiliate(testAffiliate("a")))),
      ];
      const id = `id-${String(below(500))}`;
      const data = makers[below(makers.length)]?.() ?? random(1);
      const endpoints = [random(below(64)), random(16), random(32), seal.sealEndpoint(random(below(30)))];
      roster.take(create(WatchResponseSchema, { affiliates: [{ id, data, endpoints }] }), below(50) === 0);
    }
    assert.ok(notes.length <= 32);
    assert.ok(roster.affiliates.every(({ nodeId }) => nodeId.startsWith("id-")));
  });
});

describe("decodeAffiliate() and decodeEndpoint()", () => {
  it("read any bytes, or refuse them with a code of their own", () => {
    const random = randomBytes("codec");
    const whole = encodeAffiliate(testAffiliate("a"));
    for (let round = 0; round < 5000; round += 1) {
      const bytes = round % 2 === 0 ? Uint8Array.from(random(round % 97)) : whole.slice();
      bytes[random(2).readUInt16BE() % Math.max(1, bytes.length)] = random(1)[0] ?? 0;
      for (const read of [() => decodeAffiliate(bytes), () => decodeEndpoint(bytes), () => seal.openEndpoint(bytes)]) {
        try {
          read();
        } catch (err) {
          assert.ok(err instanceof OsError, String(err));
          assert.match(err.code, /^discovery\//);
        }
      }
    }
  });
});

/** The same bytes in every run. */
function randomBytes(seed: string): (size: number) => Buffer {
  let state = createHash("sha512").update(seed).digest();
  return (size) => {
    const parts: Buffer[] = [];
    for (let have = 0; have < size; have += state.length) {
      state = createHash("sha512").update(state).digest();
      parts.push(state);
    }
    return Buffer.concat(parts).subarray(0, size);
  };
}
