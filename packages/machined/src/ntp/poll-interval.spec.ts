import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nextPollSeconds, type PollOutcome } from "./poll-interval.ts";

const sample = (milliseconds: number, spike = false): PollOutcome => ({
  kind: "sample",
  offset: BigInt(milliseconds) * 1_000_000n,
  spike,
});

describe("nextPollSeconds()", () => {
  for (const [name, previous, outcome, expected] of [
    ["the first sample", 0, sample(5000), 32],
    ["a clock that is right", 64, sample(-10), 128],
    ["a clock that is right for long", 2048, sample(1), 2048],
    ["a clock that is nearly right", 64, sample(100), 64],
    ["a clock that drifts", 128, sample(160), 64],
    ["a clock that is wrong", 1024, sample(-900), 32],
    ["a spike", 256, sample(900, true), 128],
    ["no answer", 256, { kind: "no-answer" }, 1],
    ["no answer again", 4, { kind: "no-answer" }, 8],
    ["no answer for long", 16, { kind: "no-answer" }, 16],
    ["an answer after none", 8, sample(0), 32],
    ["a server that is asked too often", 128, { kind: "rate-limited" }, 256],
  ] as const) {
    it(`after ${name}: ${String(expected)} s`, () => assert.equal(nextPollSeconds(previous, outcome), expected));
  }
});
