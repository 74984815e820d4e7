import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Runner } from "../runner.ts";
import { replaceRunner } from "./replace.ts";

/** Runs until it is stopped. */
function endless(text: string): Runner {
  return {
    describe: () => text,
    run: (report, signal) =>
      new Promise((resolve) => {
        report("running", `${text} started`);
        const stop = (): void => {
          report("stopping", `${text} stopped`);
          resolve();
        };
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      }),
  };
}

describe("replaceRunner()", () => {
  it("runs with new settings once there are some, and ends with its signal", async () => {
    const changes = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const presents: string[] = [];
    const lines: string[] = [];
    const started = Promise.withResolvers<void>();
    const runner = replaceRunner({
      first: "a",
      create: endless,
      next(present, signal) {
        signal.addEventListener("abort", () => changes[1]?.reject(new Error("aborted")));
        return changes[presents.push(present) - 1]?.promise ?? Promise.reject(new Error("asked too often"));
      },
    });
    const end = new AbortController();
    const running = runner.run((state, message) => {
      lines.push(`${state}: ${message}`);
      if (message === "b started") started.resolve();
    }, end.signal);
    changes[0]?.resolve("b");
    await started.promise;
    assert.equal(runner.describe(), "b");
    end.abort();
    await running;
    assert.deepEqual(presents, ["a", "b"]);
    assert.deepEqual(lines, [
      "running: a started",
      "stopping: a stopped",
      "preparing: Settings changed, starting with the new ones",
      "running: b started",
      "stopping: b stopped",
    ]);
  });
  it("ends when the service does, with its failure", async () => {
    const runner = replaceRunner({
      first: 1,
      create: () => ({ describe: () => "x", run: () => Promise.reject(new Error("no disk")) }),
      next: (_present, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
    });
    await assert.rejects(
      runner.run(() => undefined, new AbortController().signal),
      { message: "no disk" },
    );
  });
});
