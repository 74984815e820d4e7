import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { createRecordingLogger } from "@talos-ts/cosi/conformance";
import type { TimeSample } from "./query-time.ts";
import { createSourceSelector, type SourceSelector } from "./select-source.ts";
import type { TimeSource } from "./time-server.ts";

const sample: TimeSample = { offset: 0n, delay: 0n, rootDistance: 0n, leap: "none", time: 0n };
const kiss = (code: string): OsError =>
  new OsError({ kind: "unavailable", code: "time/kiss-of-death", message: code, details: { kiss: code } });

function setup(servers: readonly string[], answers: Record<string, TimeSample | Error>) {
  const asked: string[] = [];
  const selector: SourceSelector = createSourceSelector({
    servers,
    resolve: async (name): Promise<TimeSource[]> =>
      name === "unknown"
        ? Promise.reject(new Error("no such host"))
        : ["1", "2"].map((last) => ({ kind: "ntp", name, address: `${name}.${last}`, family: 4, port: 123 })),
    query: async (source) => {
      const address = source.kind === "ntp" ? source.address : "";
      asked.push(address);
      const answer = answers[address] ?? new Error("i/o timeout");
      if (answer instanceof Error) throw answer;
      return answer;
    },
    logger: createRecordingLogger(),
    signal: new AbortController().signal,
  });
  return { asked, selector };
}

describe("createSourceSelector()", () => {
  it("asks in the order of the configuration, and stays with the one that answers", async () => {
    const { asked, selector } = setup(["unknown", "a", "b"], { "a.2": sample, "b.1": sample });
    assert.equal((await selector.next()).source?.name, "a");
    await selector.next();
    assert.deepEqual(asked, ["a.1", "a.2", "a.2"]);
  });

  it("goes on to the others when it fails, without asking it twice", async () => {
    const answers: Record<string, TimeSample | Error> = { "a.1": sample, "b.1": sample };
    const { asked, selector } = setup(["a", "b"], answers);
    await selector.next();
    answers["a.1"] = new Error("i/o timeout");
    assert.equal((await selector.next()).source?.name, "b");
    assert.deepEqual(asked, ["a.1", "a.1", "a.2", "b.1"]);
  });

  it("does not ask a server again that refused service", async () => {
    const { asked, selector } = setup(["a"], { "a.1": kiss("DENY"), "a.2": kiss("RSTR") });
    await selector.next();
    assert.deepEqual(await selector.next(), { source: undefined, rateLimited: false });
    assert.deepEqual(asked, ["a.1", "a.2"]);
  });

  it("stays with a server that asks for fewer queries", async () => {
    const answers: Record<string, TimeSample | Error> = { "a.1": sample, "b.1": sample };
    const { selector } = setup(["a", "b"], answers);
    await selector.next();
    answers["a.1"] = kiss("RATE");
    assert.deepEqual(await selector.next(), { source: undefined, rateLimited: true });
    answers["a.1"] = sample;
    assert.equal((await selector.next()).source?.name, "a");
  });
});
