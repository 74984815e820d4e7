import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeLogEvent, parseLogLine } from "./log-event.ts";

const now = Date.UTC(2026, 0, 2);

describe("parseLogLine()", () => {
  it("takes a plain line as the message", () => {
    assert.deepEqual(parseLogLine("  hello {not json \n", now), {
      message: "hello {not json",
      atMs: now,
      level: "info",
      fields: {},
    });
  });
  it("reads JSON: time, level, message, error; the rest stays", () => {
    const line = '{"ts":"2021-12-13T12:00:00.5Z","level":"warning","msg":" late ","err":"no route ","peer":"a"}';
    assert.deepEqual(parseLogLine(line, now), {
      message: "late: no route",
      atMs: Date.UTC(2021, 11, 13, 12, 0, 0, 500),
      level: "warn",
      fields: { peer: "a" },
    });
  });
  it("reads JSON behind a message, times in seconds and milliseconds, and an error as a warning", () => {
    const seconds = parseLogLine('starting {"ts":1600000000.25,"err":"x"}', now);
    assert.deepEqual([seconds.message, seconds.atMs, seconds.level], ["starting: x", 1_600_000_000_250, "warn"]);
    assert.equal(parseLogLine('{"time":1600000000250}', now).atMs, 1_600_000_000_250);
  });
  it("leaves what it cannot read among the fields", () => {
    const { fields, level, atMs } = parseLogLine('{"level":7,"time":"noon"}', now);
    assert.deepEqual([fields, level, atMs], [{ level: 7, time: "noon" }, "info", now]);
  });
});

describe("encodeLogEvent()", () => {
  it("writes one JSON object; tags of the receiver win", () => {
    const event = { message: "hi", atMs: now, level: "info" as const, fields: { "talos-service": "etcd", node: "x" } };
    assert.deepEqual(JSON.parse(encodeLogEvent(event, { node: "one" })), {
      "talos-service": "etcd",
      node: "one",
      msg: "hi",
      "talos-time": "2026-01-02T00:00:00.000Z",
      "talos-level": "info",
    });
  });
});
