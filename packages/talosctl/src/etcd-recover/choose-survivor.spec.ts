import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCode } from "@talos-ts/base";
import { chooseSurvivor, type Choice } from "./choose-survivor.ts";
import { describeChoice } from "./describe-choice.ts";
import type { MemberReport } from "./member-report.ts";
import { memberReport as member, unknownMember } from "./testing.ts";

interface Case {
  readonly name: string;
  readonly reports: readonly MemberReport[];
  readonly wanted?: string;
  /** Number of the member that is chosen. */
  readonly survivor: 1 | 2 | 3;
  readonly lost: number;
  readonly unread?: readonly string[];
  readonly mayHaveMore?: boolean;
  readonly corrupt?: boolean;
}

const away = (index: 1 | 2 | 3): MemberReport => unknownMember(index, "unreachable", "no route");

const cases: readonly Case[] = [
  {
    name: "the highest revision wins",
    reports: [member(1, { revision: 898 }), member(2), member(3, { revision: 890 })],
    survivor: 2,
    lost: 0,
  },
  {
    name: "a stopped member with more is better than a running one",
    reports: [member(1, { state: "running", revision: 899 }), member(2), away(3)],
    survivor: 2,
    lost: 0,
    unread: ["cp-3"],
  },
  { name: "of equal members the first one is taken", reports: [member(1), member(2), member(3)], survivor: 1, lost: 0 },
  {
    name: "of equal members one that runs is taken",
    reports: [member(1), member(2), member(3, { state: "running" })],
    survivor: 3,
    lost: 0,
  },
  {
    name: "a higher term decides between equal revisions",
    reports: [member(1), member(2, { term: 5 }), member(3, { appliedIndex: 1003 })],
    survivor: 2,
    lost: 0,
  },
  {
    name: "a higher log index decides after that",
    reports: [member(1), member(2), member(3, { appliedIndex: 1003 })],
    survivor: 3,
    lost: 0,
  },
  {
    name: "one member of three is left: the others may have more",
    reports: [away(1), member(2), away(3)],
    survivor: 2,
    lost: 0,
    unread: ["cp-1", "cp-3"],
    mayHaveMore: true,
  },
  {
    name: "an unreadable member counts as unread",
    reports: [member(1), member(2), unknownMember(3, "unreadable", "file corrupt")],
    survivor: 1,
    lost: 0,
    unread: ["cp-3"],
  },
  {
    name: "a person may choose another, and sees what is lost",
    reports: [member(1, { revision: 850 }), member(2)],
    wanted: "cp-1",
    survivor: 1,
    lost: 50,
    unread: ["cp-3"],
  },
  {
    name: "different data at one revision is corruption, and the majority wins",
    reports: [member(1, { hash: "deadbeef" }), member(2), member(3)],
    survivor: 2,
    lost: 0,
    corrupt: true,
  },
  {
    name: "different data of two members is corruption, and the first is proposed",
    reports: [member(1, { hash: "deadbeef" }), member(2), away(3)],
    survivor: 1,
    lost: 0,
    unread: ["cp-3"],
    corrupt: true,
  },
  {
    name: "hashes of differently compacted members are not compared",
    reports: [member(1, { hash: "deadbeef", compactRevision: 600 }), member(2), member(3)],
    survivor: 2,
    lost: 0,
  },
  {
    name: "hashes of different revisions are not compared",
    reports: [member(1, { hash: "deadbeef", revision: 899 }), member(2), member(3)],
    survivor: 2,
    lost: 0,
  },
  {
    name: "a kept snapshot is as good as the member it was taken of",
    reports: [member(1, { state: "snapshot", revision: 901 }), member(2), member(3)],
    survivor: 1,
    lost: 0,
  },
  {
    name: "learners do not count as unread",
    reports: [
      member(1, {
        members: [
          { id: "a".repeat(16), name: "cp-1", learner: false },
          { id: "d", name: "", learner: true },
        ],
      }),
    ],
    survivor: 1,
    lost: 0,
  },
];

describe("chooseSurvivor()", () => {
  for (const { name, reports, wanted, survivor, lost, unread = [], mayHaveMore = false, corrupt = false } of cases) {
    it(name, () => {
      const choice = chooseSurvivor(reports, wanted);
      const { survivor: chosen, ...rest } = choice;
      assert.equal(chosen.name, `cp-${String(survivor)}`);
      assert.deepEqual(
        { lost: rest.lost, unread: rest.unread, mayHaveMore: rest.mayHaveMore, corrupt: rest.corrupt },
        { lost, unread, mayHaveMore, corrupt },
      );
      assert.equal(choice.warnings.length > 0, corrupt);
    });
  }

  it("does not compare members of different clusters, unless a person chooses", () => {
    const reports = [member(1, { cluster: "e".repeat(16), revision: 2000 }), member(2)];
    assert.throws(
      () => chooseSurvivor(reports),
      (err) => isCode(err, "etcd/different-clusters"),
    );
    const { survivor, lost, warnings } = chooseSurvivor(reports, "10.5.0.3");
    assert.deepEqual([survivor.name, lost], ["cp-2", 0]);
    assert.match(warnings[0] ?? "", /^10\.5\.0\.2 has data of another cluster/);
  });

  it("refuses a survivor that could not be read, and says why", () => {
    const reports = [member(1), unknownMember(2, "unreadable", "checksum error")];
    assert.throws(() => chooseSurvivor(reports, "10.5.0.3"), {
      code: "etcd/bad-survivor",
      message: "Cannot recover from 10.5.0.3: its data could not be read (unreadable: checksum error)",
    });
    assert.throws(() => chooseSurvivor(reports, "10.5.0.9"), /it is none of 10\.5\.0\.2, 10\.5\.0\.3$/);
  });
});

describe("describeChoice()", () => {
  const lines = (reports: readonly MemberReport[], wanted?: string): string =>
    describeChoice(chooseSurvivor(reports, wanted) satisfies Choice).join("\n");

  it("says that nothing is lost only when it is known", () => {
    assert.match(lines([member(1), member(2), member(3)]), /^lost: nothing that was acknowledged$/m);
    assert.match(
      lines([member(1), member(2), away(3)]),
      /^lost: nothing that was acknowledged: every such write is on a/m,
    );
    const alone = lines([member(1), away(2), away(3)]);
    assert.match(alone, /^lost: no revision of those that could be read$/m);
    assert.match(alone, /^unknown: cp-2, cp-3 could not be read, and may have acknowledged newer writes/m);
  });
  it("counts revisions that another member has", () => {
    assert.match(
      lines([member(1, { revision: 899 }), member(2)], "cp-1"),
      /^lost: 1 revision, from 900 to 900, which another member has$/m,
    );
  });
  it("tells of entries that nobody knows as committed", () => {
    assert.match(
      lines([member(1, { uncommittedEntries: 3 })]),
      /^unknown: the log of the survivor ends with 3 entries/m,
    );
    assert.match(lines([member(1, { uncommittedEntries: -1 })]), /^unknown: whether the log .* --rehearse tells$/m);
  });
  it("warns of corruption", () => {
    assert.match(
      lines([member(1, { hash: "deadbeef" }), member(2)]),
      /^WARNING: 10\.5\.0\.2 and 10\.5\.0\.3 both have revision 900, with different data \(hash deadbeef and 0badcafe\)/m,
    );
  });
});
