import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { RestartEventSchema } from "@talos-ts/proto/machine/event";
import { createEventBus, type MachineEvent } from "./event-bus.ts";
import { createXid, isXid } from "./xid.ts";

async function take(events: AsyncIterable<MachineEvent>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const event of events) {
    ids.push(event.id);
    if (ids.length === count) break;
  }
  return ids;
}

describe("createXid()", () => {
  it("makes ids that sort by time and count", () => {
    const ids = [createXid(1000), createXid(2000), createXid(2000), createXid(60_000)];
    assert.deepEqual(ids.toSorted(), ids);
    assert.ok(ids.every(isXid));
  });
});

describe("createEventBus()", () => {
  const publish = (bus: ReturnType<typeof createEventBus>, actor = ""): string =>
    bus.publish(RestartEventSchema, { cmd: 1n }, actor).id;

  it("sends the tail first, then new events", async () => {
    const bus = createEventBus();
    const [, second] = [publish(bus), publish(bus)];
    const abort = new AbortController();
    const read = take(bus.subscribe({ signal: abort.signal, tailEvents: 1 }), 2);
    await new Promise((resolve) => setImmediate(resolve));
    const third = publish(bus);
    assert.deepEqual(await read, [second, third]);
  });
  it("continues after an id, keeps to an age, filters by actor", async () => {
    const clock = createManualClock(1_000_000);
    const bus = createEventBus(clock);
    const first = publish(bus);
    await clock.advance(60_000);
    const [second, third] = [publish(bus, "me"), publish(bus)];
    const { signal } = new AbortController();
    assert.deepEqual(await take(bus.subscribe({ signal, tailId: first }), 2), [second, third]);
    assert.deepEqual(await take(bus.subscribe({ signal, tailMs: 30_000 }), 2), [second, third]);
    assert.deepEqual(await take(bus.subscribe({ signal, tailEvents: -1, actorId: "me" }), 1), [second]);
  });
  it("continues after an id when the clock was set back since", async () => {
    let nowMs = 1_000_000;
    const bus = createEventBus({ ...createManualClock(), now: () => nowMs });
    const first = publish(bus);
    nowMs -= 600_000;
    const [second, third] = [publish(bus), publish(bus)];
    const { signal } = new AbortController();
    assert.deepEqual(await take(bus.subscribe({ signal, tailId: first }), 2), [second, third]);
  });
  it("refuses an id that is none", async () => {
    const bus = createEventBus();
    const { signal } = new AbortController();
    await assert.rejects(take(bus.subscribe({ signal, tailId: "nope" }), 1), { code: "events/invalid-id" });
  });
  it("ends when the signal aborts", async () => {
    const abort = new AbortController();
    const read = Array.fromAsync(createEventBus().subscribe({ signal: abort.signal }));
    abort.abort();
    assert.deepEqual(await read, []);
  });
});
