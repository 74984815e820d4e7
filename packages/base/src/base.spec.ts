import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBackoff, createQueue, createManualClock, describeError, formatTable, isKind, OsError } from "./index.ts";

describe("OsError", () => {
  it("from() keeps an OsError as it is", () => {
    const error = new OsError({ kind: "not-found", code: "cosi/not-found", message: "x" });
    assert.equal(OsError.from(error), error);
  });
  it("from() maps system errors, aborts and timeouts", () => {
    const enoent = Object.assign(new Error("no such file"), { code: "ENOENT" });
    assert.equal(OsError.from(enoent).kind, "not-found");
    assert.deepEqual(OsError.from(enoent).details, { errno: "ENOENT" });
    assert.equal(OsError.from(AbortSignal.abort().reason).kind, "cancelled");
    assert.equal(OsError.from(new DOMException("late", "TimeoutError")).kind, "deadline-exceeded");
    assert.equal(OsError.from("text").message, "text");
  });
  it("describeError() joins causes once each", () => {
    const error = new Error("outer", { cause: new Error("middle: inner", { cause: new Error("inner") }) });
    assert.equal(describeError(error), "outer: middle: inner");
  });
  it("isKind() tells conditions apart", () => {
    assert.ok(isKind(new OsError({ kind: "aborted", message: "x" }), "aborted"));
    assert.ok(!isKind(new Error("x"), "aborted"));
  });
});

describe("createBackoff()", () => {
  it("grows to the limit and starts over after reset()", () => {
    const backoff = createBackoff({ initialMs: 100, factor: 2, maxMs: 350, jitter: 0 });
    assert.deepEqual([backoff.next(), backoff.next(), backoff.next(), backoff.next()], [100, 200, 350, 350]);
    backoff.reset();
    assert.equal(backoff.next(), 100);
  });
});

describe("createQueue()", () => {
  it("hands over queued values, then ends", async () => {
    const queue = createQueue<number>();
    queue.push(1);
    queue.push(2);
    queue.close();
    assert.deepEqual(await Array.fromAsync(queue), [1, 2]);
  });
  it("refuses values past its capacity", () => {
    const queue = createQueue<number>(1);
    assert.ok(queue.push(1));
    assert.ok(!queue.push(2));
  });
  it("fail() reaches a waiting consumer", async () => {
    const queue = createQueue<number>();
    const read = Array.fromAsync(queue);
    queue.fail(new OsError({ kind: "aborted", message: "gone" }));
    await assert.rejects(read, { message: "gone" });
  });
  it("keeps order over many values", async () => {
    const queue = createQueue<number>();
    const expected = Array.from({ length: 1000 }, (_, index) => index);
    for (const value of expected) queue.push(value);
    queue.close();
    assert.deepEqual(await Array.fromAsync(queue), expected);
  });
});

describe("createManualClock()", () => {
  it("wakes sleepers in order and rejects an aborted one", async () => {
    const clock = createManualClock();
    const woken: number[] = [];
    const abort = new AbortController();
    const waits = [20, 10].map((ms) => clock.sleep(ms).then(() => woken.push(ms)));
    const aborted = assert.rejects(clock.sleep(5, abort.signal), { message: "stop" });
    abort.abort(new Error("stop"));
    await clock.advance(30);
    await Promise.all([...waits, aborted]);
    assert.deepEqual(woken, [10, 20]);
    assert.equal(clock.now(), 30);
  });
});

describe("formatTable()", () => {
  it("aligns columns and drops trailing space", () => {
    assert.equal(
      formatTable([
        ["A", "BB", "C"],
        ["aaa", "b", ""],
      ]),
      "A     BB   C\naaa   b\n",
    );
  });
});
