import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock, isCode } from "@talos-ts/base";
import { waitUntil } from "./wait-until.ts";

describe("waitUntil()", () => {
  const options = (clock: ReturnType<typeof createManualClock>, told: string[]) => ({
    clock,
    signal: new AbortController().signal,
    what: "kube-apiserver on 10.5.0.2",
    timeoutMs: 10_000,
    tell: (reason: string) => void told.push(reason),
    next: "talosctl get staticpodstatus",
  });

  it("tells each reason once, takes a failed question for one, and ends when nothing is missing", async () => {
    const clock = createManualClock();
    const told: string[] = [];
    const answers = ["not ready", "not ready", new Error("connection refused"), "not ready"];
    const waiting = waitUntil(
      async () => {
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      },
      options(clock, told),
    );
    for (let second = 0; second < 6; second += 1) await clock.advance(1000);
    await waiting;
    assert.deepEqual(told, ["not ready", "connection refused", "not ready"]);
  });
  it("fails with the last reason when the time is over", async () => {
    const clock = createManualClock();
    const waiting = assert.rejects(
      waitUntil(async () => "pod is not ready", options(clock, [])),
      (err) =>
        isCode(err, "upgrade/not-in-time") && err.message.endsWith("kube-apiserver on 10.5.0.2: pod is not ready"),
    );
    for (let second = 0; second < 12; second += 1) await clock.advance(1000);
    await waiting;
  });
});
