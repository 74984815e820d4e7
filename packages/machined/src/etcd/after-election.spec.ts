import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, OsError } from "@talos-ts/base";
import { afterElection } from "./after-election.ts";

const { signal } = new AbortController();

/** Lets the clock run for longer than the work may take. */
async function settled<T>(clock: ReturnType<typeof createManualClock>, work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  for (let elapsedMs = 0; elapsedMs < 10_000; elapsedMs += 250) {
    await clock.advance(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return work;
}

describe("afterElection()", () => {
  const failure = (message: string): OsError => new OsError({ kind: "unavailable", message });

  it("asks again until there is a leader", async () => {
    const clock = createManualClock();
    const answers = ["etcdserver: leader changed", "etcdserver: no leader"];
    const ask = async (): Promise<string> => {
      const problem = answers.shift();
      if (problem !== undefined) throw failure(problem);
      return "members";
    };
    assert.equal(await settled(clock, afterElection(clock, signal, ask)), "members");
  });
  it("gives up after 5 s with what etcd said", async () => {
    const clock = createManualClock();
    let asked = 0;
    const ask = async (): Promise<never> => {
      asked += 1;
      throw failure("etcdserver: no leader");
    };
    await assert.rejects(settled(clock, afterElection(clock, signal, ask)), /no leader/);
    assert.ok(asked >= 10 && asked <= 22, String(asked));
  });
  it("does not ask again after another failure", async () => {
    const clock = createManualClock();
    let asked = 0;
    const ask = async (): Promise<never> => {
      asked += 1;
      throw failure("etcdserver: request timed out");
    };
    await assert.rejects(afterElection(clock, signal, ask), /timed out/);
    assert.equal(asked, 1);
  });
});
