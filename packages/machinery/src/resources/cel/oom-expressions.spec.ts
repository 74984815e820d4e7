import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { oomRanking, oomTrigger, type OOMCgroup } from "./oom-expressions.ts";

const values = {
  root: { memory_full_avg10: 80 },
  perClass: { qos_memory_full_avg10: { System: 2, Podruntime: 4 } },
  sinceTriggerMs: 10_500,
};
const cgroup: OOMCgroup = {
  class: "Burstable",
  path: "/kubepods/burstable/pod1",
  memoryCurrent: 1000,
  memoryPeak: undefined,
  memoryMax: undefined,
};

describe("oomTrigger()", () => {
  it("evaluates pressure, classes and the time since the last trigger", () => {
    const cases = {
      'memory_full_avg10 > 75.0 && time_since_trigger > duration("10s")': true,
      'memory_full_avg10 > 75.0 && time_since_trigger > duration("11s")': false,
      "multiply_qos_vectors(qos_memory_full_avg10, {System: 8.0, Podruntime: 0.5}) == 18.0": true,
      "qos_memory_full_avg10[System] > 2.0": false,
      "1u * MiB == 1048576u": true,
    };
    for (const [text, expected] of Object.entries(cases)) assert.equal(oomTrigger(text)(values), expected, text);
  });
  it("fails with the expression when it gives something else", () => {
    assert.throws(() => oomTrigger("1 +"), { code: "resource/expression-failed" });
    assert.throws(() => oomTrigger("memory_full_avg10")(values), { code: "resource/expression-failed" });
    assert.throws(() => oomTrigger("unknown > 1.0")(values), { code: "resource/expression-failed" });
  });
});

describe("oomRanking()", () => {
  it("knows sizes that may be missing", () => {
    const text =
      "memory_max.hasValue() ? 0.0 : {Besteffort: 1.0, Burstable: 0.5, Guaranteed: 0.0}[class] * double(memory_current.orValue(0u))";
    assert.equal(oomRanking(text)(cgroup), 500);
    assert.equal(oomRanking(text)({ ...cgroup, memoryMax: 4096 }), 0);
    assert.equal(oomRanking("double(memory_peak.orValue(7u))")(cgroup), 7);
    assert.throws(() => oomRanking(text)({ ...cgroup, class: "System" }), { code: "resource/expression-failed" });
  });
});
