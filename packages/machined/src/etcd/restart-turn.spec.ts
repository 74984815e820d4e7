import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import { createRestartTurn } from "./restart-turn.ts";
import type { WithMutex } from "./mutex.ts";

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp(withMutex: WithMutex) {
  const warnings: string[] = [];
  const ignore = (): void => undefined;
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (line) => void warnings.push(line),
    with: () => logger,
  };
  const clock = createManualClock();
  return { clock, warnings, turn: createRestartTurn({ clock, logger }, withMutex) };
}

describe("createRestartTurn()", () => {
  it("holds the lock until the member answers after its start", async () => {
    let held = false;
    const { turn } = setUp(async (_name, signal, work) => {
      held = true;
      const result = await work(signal);
      held = false;
      return result;
    });
    await turn.take(new AbortController().signal);
    // The old process may still answer.
    turn.healthy();
    await settle();
    assert.ok(held);
    turn.starting();
    turn.healthy();
    await settle();
    assert.ok(!held);
  });
  it("lets others go on after a minute", async () => {
    let held = true;
    const { turn, clock } = setUp(async (_name, signal, work) => {
      const result = await work(signal);
      held = false;
      return result;
    });
    await turn.take(new AbortController().signal);
    await clock.advance(60_000);
    await settle();
    assert.ok(!held);
  });
  it("restarts at once where etcd does not answer", async () => {
    const { turn, warnings } = setUp(() => Promise.reject(new Error("no leader")));
    await turn.take(new AbortController().signal);
    assert.deepEqual(warnings, ["etcd restarts without waiting for other members: no leader"]);
  });
});
