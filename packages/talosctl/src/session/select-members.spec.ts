import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addressesOfNames, selectMembers, type KnownMember } from "./select-members.ts";

const members: readonly KnownMember[] = [
  { id: "cp-1", spec: { hostname: "cp-1.lan", machineType: "controlplane", addresses: ["10.5.0.2", "fd00::2"] } },
  { id: "w-1", spec: { hostname: "w-1", machineType: "worker", addresses: ["10.5.0.3"] } },
  { id: "w-2", spec: { hostname: "w-2", machineType: "worker", addresses: ["10.5.0.4"] } },
];

describe("addressesOfNames()", () => {
  it("gives the first address of a member by id, host name or short name, and leaves the rest", () => {
    assert.deepEqual(addressesOfNames(["cp-1", "cp-1.lan", "w-2", "10.9.9.9", "elsewhere"], members), [
      "10.5.0.2",
      "10.5.0.2",
      "10.5.0.4",
      "10.9.9.9",
      "elsewhere",
    ]);
  });
});

describe("selectMembers()", () => {
  it("chooses by role and name", () => {
    assert.deepEqual(selectMembers(["role=worker"], members), ["10.5.0.3", "10.5.0.4"]);
    assert.deepEqual(selectMembers(["role=worker", "name=w-2"], members), ["10.5.0.4"]);
    assert.deepEqual(selectMembers(["role=controlplane"], members), ["10.5.0.2"]);
  });

  it("chooses by label, with or without a value", () => {
    const labelled = members.map((member, at) =>
      Object.assign({}, member, {
        labels: { "example.org/zone": at === 1 ? "a=b" : "c", ...(at === 2 && { gpu: "" }) },
      }),
    );
    assert.deepEqual(selectMembers(["label=example.org/zone=a=b"], labelled), ["10.5.0.3"]);
    assert.deepEqual(selectMembers(["label=gpu"], labelled), ["10.5.0.4"]);
    assert.deepEqual(selectMembers(["label=example.org/zone=c", "role=worker"], labelled), ["10.5.0.4"]);
    assert.throws(() => selectMembers(["label=none"], labelled), { code: "cli/no-such-nodes" });
    assert.throws(() => selectMembers(["label=gpu"], members), { code: "cli/no-such-nodes" });
  });

  it("refuses what nobody can be chosen by, and says who there is when nobody fits", () => {
    assert.throws(() => selectMembers(["color=red"], members), { code: "cli/bad-selector" });
    assert.throws(() => selectMembers(["name=x"], members), /there are cp-1 \(controlplane\), w-1 \(worker\)/);
  });
});
