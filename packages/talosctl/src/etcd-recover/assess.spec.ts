import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assess } from "./assess.ts";
import { memberReport as member, unknownMember } from "./testing.ts";

const well = { state: "running", quorum: true } as const;

describe("assess()", () => {
  it("finds nothing to recover while all members are well", () => {
    assert.deepEqual(assess([member(1, well), member(2, well), member(3, well)]), { kind: "quorum", notes: [] });
  });
  it("leaves nodes alone that are away or join by themselves", () => {
    const found = assess([member(1, well), unknownMember(2, "unreachable", "no route"), unknownMember(3, "empty")]);
    assert.equal(found.kind, "quorum");
    assert.deepEqual(found.kind === "quorum" && found.notes.map((note) => note.split(" ")[0]), [
      "10.5.0.3",
      "10.5.0.4",
    ]);
  });
  it("makes broken members join the cluster that has quorum", () => {
    const other = member(3, { cluster: "e".repeat(16) });
    const found = assess([member(1, well), unknownMember(2, "unreadable", "checksum error"), other]);
    assert.ok(found.kind === "rejoin");
    assert.deepEqual(
      found.rejoin.map(({ node, discardData }) => `${node} ${String(discardData)}`),
      ["10.5.0.3 true", "10.5.0.4 true"],
    );
    assert.equal(found.by, "10.5.0.2");
  });
  it("starts a stopped member with its data", () => {
    const found = assess([member(1, well), member(2, well), member(3)]);
    assert.ok(found.kind === "rejoin");
    assert.deepEqual(found.rejoin, [{ node: "10.5.0.4", discardData: false, reason: "its etcd is stopped" }]);
  });
  it("deletes the data of a member that was removed", () => {
    const members = member(1).members.slice(0, 2);
    const found = assess([member(1, { ...well, members }), member(2, { ...well, members }), member(3)]);
    assert.ok(found.kind === "rejoin");
    assert.equal(found.rejoin[0]?.discardData, true);
  });
  it("recovers when no member has quorum", () => {
    const found = assess([member(1, { state: "running" }), member(2, { state: "waiting" }), member(3)]);
    assert.ok(found.kind === "restore");
    assert.equal(found.survivor.node, "10.5.0.2");
  });
  it("lets a person choose between two clusters with quorum", () => {
    const reports = [member(1, { ...well, cluster: "e".repeat(16) }), member(2, well), member(3, well)];
    assert.throws(() => assess(reports), { code: "etcd/two-clusters" });
    const found = assess(reports, "10.5.0.2");
    assert.ok(found.kind === "rejoin");
    assert.deepEqual(
      found.rejoin.map(({ node }) => node),
      ["10.5.0.3", "10.5.0.4"],
    );
  });
  it("refuses a survivor that would lose its data to a cluster with quorum, or is none of the nodes", () => {
    const reports = [member(1, well), member(2, well), member(3, { cluster: "e".repeat(16) })];
    for (const survivor of ["10.5.0.4", "cp-3", "10.5.0.9"]) {
      assert.throws(() => assess(reports, survivor), { code: "etcd/bad-survivor" });
    }
    const found = assess(reports, "cp-2");
    assert.ok(found.kind === "rejoin");
    assert.deepEqual(
      found.rejoin.map(({ node }) => node),
      ["10.5.0.4"],
    );
  });
  it("says so when nothing can be read", () => {
    assert.deepEqual(assess([unknownMember(1, "empty"), unknownMember(2, "unreadable", "x")]), {
      kind: "nothing-to-read",
    });
  });
});
