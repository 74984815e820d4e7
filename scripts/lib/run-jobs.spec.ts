import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runJobs, type Job } from "./run-jobs.ts";

const job = (name: string, seconds: number, alone = false): Job => ({ name, command: "", args: [], seconds, alone });
const { signal } = new AbortController();

/** Runs jobs that end when they are told to, and notes which run. */
function controlled() {
  const running = new Map<string, (ok: boolean) => void>();
  return {
    running: () => [...running.keys()],
    run: ({ name }: Job) =>
      new Promise<{ ok: boolean; output: string }>((resolve) => {
        running.set(name, (ok) => {
          running.delete(name);
          resolve({ ok, output: `output of ${name}\n` });
        });
      }),
    async end(name: string, ok = true) {
      running.get(name)?.(ok);
      await new Promise((resolve) => void setImmediate(resolve));
    },
  };
}

describe("runJobs()", () => {
  it("takes the longest and the shortest at the same time, and those that want the machine for themselves last", async () => {
    const jobs = controlled();
    const list = [job("attack", 9, true), job("short", 1), job("long", 5), job("middle", 3)];
    const all = runJobs(list, { signal, run: jobs.run, write: () => {} });
    assert.deepEqual(jobs.running(), ["long", "short"]);
    await jobs.end("short");
    assert.deepEqual(jobs.running(), ["long", "middle"]);
    await jobs.end("middle");
    assert.deepEqual(jobs.running(), ["long"]);
    await jobs.end("long");
    assert.deepEqual(jobs.running(), ["attack"]);
    await jobs.end("attack");
    assert.deepEqual(
      (await all).map(({ name }) => name),
      ["short", "middle", "long", "attack"],
    );
  });

  it("shows the output of a job as one block, and goes on after a failure", async () => {
    const jobs = controlled();
    let text = "";
    const write = (more: string): void => void (text += more);
    const all = runJobs([job("one", 2), job("two", 1)], { signal, lanes: 1, run: jobs.run, write });
    await jobs.end("one", false);
    await jobs.end("two");
    assert.deepEqual(
      (await all).map(({ ok }) => ok),
      [false, true],
    );
    assert.match(text, /^▸ one …\noutput of one\n▸ one: failed, \d+\.\d s\n▸ two …\noutput of two\n▸ two: ok, /);
  });

  it("starts no more jobs when it is interrupted", async () => {
    const jobs = controlled();
    const abort = new AbortController();
    const all = runJobs([job("one", 2), job("two", 1)], {
      signal: abort.signal,
      lanes: 1,
      run: jobs.run,
      write: () => {},
    });
    abort.abort();
    await jobs.end("one", false);
    assert.equal((await all).length, 1);
  });

  it("runs a program, and tells one that does not end to do so", async () => {
    const abort = new AbortController();
    const script = "setInterval(() => {}, 1000)";
    let text = "";
    const write = (more: string): void => void (text += more);
    const program = (name: string, code: string): Job => ({ name, command: process.execPath, args: ["-e", code] });
    const [done] = await runJobs([program("ends", "console.log('said')")], { signal: abort.signal, write });
    assert.ok(done?.ok === true && text.includes("said\n"), text);
    const stopped = runJobs([program("endless", script)], { signal: abort.signal, write });
    abort.abort();
    assert.equal((await stopped)[0]?.ok, false);
  });
});
