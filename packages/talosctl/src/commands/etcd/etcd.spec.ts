import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { createResource, pointerTo } from "@talos-ts/cosi";
import { EtcdLearner } from "@talos-ts/machinery/resources/etcd";
import { startFakeNode, type FakeNode } from "../../testing/fake-node.ts";

/** A snapshot that etcd 3.6.16 made. */
const database = new URL("../../../../machinery/src/etcd/testdata/snapshot-v3.6.db.gz", import.meta.url);

describe("talosctl etcd", () => {
  let node: FakeNode;
  let sent: Buffer;
  before(async () => {
    sent = gunzipSync(await readFile(database));
    const member = {
      id: 0xabcn,
      hostname: "cp-1",
      peerUrls: ["https://10.5.0.2:2380"],
      clientUrls: [],
      isLearner: true,
    };
    node = await startFakeNode({
      types: [EtcdLearner],
      machine: {
        etcdMemberList: async ({ queryLocal }) => ({ messages: queryLocal ? [{ members: [member] }] : [] }),
        etcdAlarmList: async () => ({ messages: [{ memberAlarms: [] }] }),
        etcdAlarmDisarm: async () => ({ messages: [{ memberAlarms: [{ memberId: 1n, alarm: 1 }] }] }),
        async *etcdSnapshot() {
          yield { bytes: sent.subarray(0, 1000) };
          yield { bytes: sent.subarray(1000) };
        },
      },
    });
  });
  after(() => node[Symbol.asyncDispose]());

  it("T-34: members are listed by hexadecimal id", async () => {
    const { out } = await node.run("etcd", "members", "-n", "a");
    assert.match(out, /^NODE +ID +HOSTNAME +PEER URLS +CLIENT URLS +LEARNER\n/);
    assert.match(out, / 0000000000000abc +cp-1 +https:\/\/10\.5\.0\.2:2380 +true$/m);
    const json = await node.run("etcd", "members", "-n", "a", "-o", "json");
    assert.equal((JSON.parse(json.out) as { id: string }[])[0]?.id, "0000000000000abc");
  });

  it("C-24: machines that wait to join follow the members, in the order of the queue", async () => {
    const since = "2026-01-01T00:00:00.000Z";
    const queue = [
      ["cp-3", 2, "waiting"],
      ["cp-2", 1, "learner"],
    ] as const;
    for (const [name, position, state] of queue) {
      await node.state.create(createResource(EtcdLearner, name, EtcdLearner.spec({ position, state, since })));
    }
    const { out } = await node.run("etcd", "members", "-n", "a");
    assert.match(out, / cp-1 [^]*\n\S+ +cp-2 +queued \(1\)\n\S+ +cp-3 +queued \(2\)\n$/);
    for (const [name] of queue) await node.state.destroy(pointerTo(EtcdLearner, name));
  });

  it("T-36: no alarms print nothing, others member and kind", async () => {
    assert.deepEqual(await node.run("etcd", "alarm", "list", "-n", "a"), { out: "", err: "", code: 0 });
    const { out } = await node.run("etcd", "alarm", "disarm", "-n", "a");
    assert.match(out, /^NODE +MEMBER +ALARM\n\S+ +0000000000000001 +NOSPACE\n$/);
  });

  it("C-26: a snapshot is verified before it gets its name", async () => {
    const path = join(node.folder, "db.snapshot");
    const { out } = await node.run("etcd", "snapshot", path, "-n", "a");
    assert.match(
      out,
      /\(53280 bytes\)\nsnapshot info: hash 9ceaae9e, revision 151, total keys 70, total size 53248\n$/,
    );
    assert.ok((await readFile(path)).equals(sent));
    const whole = sent;
    sent = whole.subarray(0, -512);
    const cut = await node.run("etcd", "snapshot", join(node.folder, "cut.snapshot"), "-n", "a");
    sent = whole;
    assert.equal(cut.code, 1);
    assert.match(cut.err, /sha256/);
    assert.deepEqual(
      (await readdir(node.folder)).filter((name) => name.startsWith("cut")),
      [],
    );
  });

  it("a recovery and its rehearsal say why there is nothing to recover from", async () => {
    for (const flags of [[], ["--rehearse"]]) {
      const { err, code } = await node.run("etcd", "recover", "-n", "a,b", ...flags);
      assert.equal(code, 1);
      assert.match(
        err,
        /^No member has data that can be read: a is unreachable \(.*its version cannot read members\)/m,
      );
      assert.match(err, /^next: talosctl bootstrap --recover-from <snapshot>$/m);
    }
  });

  it("a member id that is none is refused before any node is asked", async () => {
    const { err } = await node.run("etcd", "remove-member", "cp-1", "-n", "a");
    assert.match(err, /error parsing member ID/);
  });
});
