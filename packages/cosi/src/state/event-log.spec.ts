import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { note } from "../conformance/state-fixtures.ts";
import { createEventLog, type Cursor, type EventLog } from "./event-log.ts";

function fill(log: EventLog, count: number): void {
  for (let index = 0; index < count; index += 1) {
    log.append({ type: "created", resource: note(`n${log.end}`), bookmark: undefined });
  }
}

interface Probe extends Cursor {
  wakes: number;
}

function attach(log: EventLog, capacity = 8192): Probe {
  const probe: Probe = { position: log.end, capacity, wakes: 0, wake: () => void (probe.wakes += 1) };
  log.attach(probe);
  return probe;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("createEventLog()", () => {
  it("keeps what a cursor may still ask for, and no more", () => {
    const log = createEventLog({ historyCapacity: 16, historyGap: 4 });
    attach(log, 100);
    const lagging = attach(log, 1000);
    fill(log, 900);
    assert.equal(log.since(lagging.position).length, 900);
    assert.equal(log.oldest, 888);
    log.detach(lagging);
    fill(log, 900);
    const kept = log.since(log.end - 100);
    assert.equal(kept[0]?.resource?.metadata.id, "n1700");
  });

  it("gives readers at one place one array, with bookmarks that lead back to it", () => {
    const log = createEventLog({ historyCapacity: 16, historyGap: 4 });
    fill(log, 5);
    const batch = log.since(2);
    assert.equal(log.since(2), batch);
    const marks = batch.map(({ bookmark }) => log.bookmarks.decode(bookmark ?? new Uint8Array()));
    assert.deepEqual(marks, [2, 3, 4]);
    fill(log, 1);
    assert.equal(batch.length, 3);
  });

  it("wakes at once after a quiet time, then once per turn", async () => {
    const log = createEventLog({ historyCapacity: 1024, historyGap: 4 });
    const cursor = attach(log);
    log.whenReadable(cursor);
    fill(log, 1);
    await Promise.resolve();
    assert.equal(cursor.wakes, 1);
    cursor.position = log.end;
    assert.equal(log.mayRead(cursor), false);
    log.whenReadable(cursor);
    fill(log, 50);
    await Promise.resolve();
    assert.equal(cursor.wakes, 1);
    await turn();
    assert.equal(cursor.wakes, 2);
  });

  it("wakes within a turn when much has piled up", async () => {
    const log = createEventLog({ historyCapacity: 1024, historyGap: 4 });
    const cursor = attach(log);
    log.whenReadable(cursor);
    fill(log, 1);
    await Promise.resolve();
    cursor.position = log.end;
    log.whenReadable(cursor);
    fill(log, 300);
    assert.equal(log.mayRead(cursor), true);
    await Promise.resolve();
    assert.equal(cursor.wakes, 2);
  });

  it("does not forget a reader that came late in a turn", async () => {
    const log = createEventLog({ historyCapacity: 1024, historyGap: 4 });
    const first = attach(log);
    const late = attach(log);
    log.whenReadable(first);
    fill(log, 1);
    await Promise.resolve();
    log.whenReadable(late);
    await turn();
    assert.equal(late.wakes, 1);
  });
});
