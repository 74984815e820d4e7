import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { createInMemoryState, wrapCore } from "@talos-ts/cosi";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { paths } from "@talos-ts/machinery/constants";
import { MemberListResponseSchema } from "@talos-ts/proto/etcd/rpc";
import type { EtcdClient } from "./etcd-client.ts";
import { rememberedLearner, rememberLearner } from "./learner-file.ts";
import { clearRemovedLearner } from "./removed-learner.ts";

type Members = { readonly ID: bigint; readonly isLearner: boolean }[];

/** Runs it on a machine with data, which was a learner when `learner` is given, in a cluster with these members. */
async function run({ learner, members }: { learner?: bigint; members?: Members }) {
  await using folder = await temporaryDirectory();
  const machine = { root: folder.path, state: wrapCore(createInMemoryState()) };
  await mkdir(join(folder.path, paths.etcdData), { recursive: true });
  await writeFile(join(folder.path, paths.etcdData, "member"), "");
  if (learner !== undefined) await rememberLearner(machine, learner);
  const cluster = {
    async memberList() {
      if (members === undefined) throw new Error("no leader");
      return create(MemberListResponseSchema, { members });
    },
  } as Partial<EtcdClient["cluster"]> as EtcdClient["cluster"];
  const open = async () => ({ cluster, [Symbol.asyncDispose]: async () => undefined });
  const cleared = await clearRemovedLearner(machine, new AbortController().signal, open);
  const entries = await readdir(join(folder.path, paths.etcdData));
  return { cleared, entries: entries.length, remembered: await rememberedLearner(machine) };
}

describe("clearRemovedLearner()", () => {
  it("clears the data of a learner that the cluster has dropped", async () => {
    const others = [{ ID: 1n, isLearner: false }];
    assert.deepEqual(await run({ learner: 7n, members: others }), {
      cleared: true,
      entries: 0,
      remembered: undefined,
    });
  });

  it("keeps the data of a learner that is still there, and of one that votes meanwhile", async () => {
    const still = await run({ learner: 7n, members: [{ ID: 7n, isLearner: true }] });
    assert.deepEqual(still, { cleared: false, entries: 1, remembered: 7n });
    const votes = await run({ learner: 7n, members: [{ ID: 7n, isLearner: false }] });
    assert.deepEqual(votes, { cleared: false, entries: 1, remembered: undefined });
  });

  it("keeps everything while no quorum answers, and data of a member that was never a learner", async () => {
    assert.deepEqual(await run({ learner: 7n }), { cleared: false, entries: 1, remembered: 7n });
    assert.deepEqual(await run({ members: [] }), { cleared: false, entries: 1, remembered: undefined });
  });
});
