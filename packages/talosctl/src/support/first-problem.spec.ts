import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ServiceInfoSchema } from "@talos-ts/proto/machine/service";
import { findFirstProblem } from "./first-problem.ts";
import { createFacts, type NodeFacts } from "./support-file.ts";
import { eventTime, logEntries, mergeTimelines, serviceEntries } from "./timeline.ts";

function node(name: string): NodeFacts {
  const facts = createFacts(name);
  facts.version = "v1.13.9";
  return facts;
}

const etcd = create(ServiceInfoSchema, {
  id: "etcd",
  state: "Failed",
  events: {
    events: [
      { state: "Starting", msg: "Starting service", ts: timestampFromMs(1000) },
      { state: "Failed", msg: "Failed to run pre stage: disk is full", ts: timestampFromMs(9000) },
    ],
  },
});

describe("findFirstProblem()", () => {
  it("prefers what is still wrong to trouble that has passed", () => {
    const [one, two] = [node("one"), node("two")];
    one.timeline.push({ at: 2000, node: "one", source: "apid", text: "error: not yet", problem: true });
    two.services = [etcd];
    two.timeline.push(...serviceEntries("two", etcd));
    const { entry, reason } = findFirstProblem([one, two]);
    assert.equal(entry?.text, "[Failed] Failed to run pre stage: disk is full");
    assert.match(reason, /not healthy now \(etcd\)/);
  });
  it("names a node that did not answer, a diagnostic, and the first line of trouble, in this order", () => {
    const well = node("one");
    well.timeline.push({ at: 2000, node: "one", source: "cri", text: "error", problem: true });
    assert.equal(findFirstProblem([well]).entry?.source, "cri");
    const diagnosed = node("two");
    diagnosed.diagnostics = [{ id: "address-overlap", message: "subnets overlap", details: [] }];
    assert.match(findFirstProblem([well, diagnosed]).reason, /node two: subnets overlap/);
    const dead = createFacts("three");
    dead.errors.push({ source: "node", message: "no route" });
    assert.match(findFirstProblem([well, diagnosed, dead]).reason, /node three cannot be asked: no route/);
    assert.match(findFirstProblem([node("one")]).reason, /^nothing is wrong/);
  });
});

describe("the timeline", () => {
  it("reads the times that services write, and leaves out what tells of no trouble", () => {
    const log = [
      "2026/01/02 03:04:05 [talos] service[etcd](Failed): cannot start",
      '{"level":"warn","ts":"2026-01-02T03:04:06.500Z","msg":"failed to reach peer"}',
      "2026-01-02T03:04:07Z all is well",
      "error without a time",
      "kern:    warning: [2026-01-02T05:04:08+02:00]: oom: killed",
    ].join("\n");
    const base = Date.UTC(2026, 0, 2, 3, 4, 5);
    assert.deepEqual(
      logEntries("one", "etcd", log).map(({ at }) => at - base),
      [0, 1500, 3000],
    );
  });
  it("puts the nodes into one order of time", () => {
    const at = (node: string, ms: number) => ({ at: ms, node, source: "s", text: "", problem: false });
    const merged = mergeTimelines([
      [at("b", 1), at("b", 3)],
      [at("a", 3), at("a", 2)],
    ]);
    assert.deepEqual(
      merged.map((entry) => `${entry.node}${String(entry.at)}`),
      ["b1", "a2", "a3", "b3"],
    );
  });
  it("reads the time out of the id of an event", () => {
    assert.equal(eventTime("9m4e2mr0ui3e8a215n4g"), 1_300_816_219_000);
    assert.equal(eventTime("not an id"), undefined);
  });
});
