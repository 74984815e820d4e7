import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCode } from "@talos-ts/base";
import { createServer, type CallContext, type GrpcServer } from "@talos-ts/grpc";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { connectApi } from "@talos-ts/machinery/client";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { checkQuorum } from "./check-quorum.ts";

interface Status {
  readonly leader?: bigint;
  readonly isLearner?: boolean;
  readonly errors?: string[];
}

/** Asks whether `a` of three control planes may go down, where the others are as given; one that is missing does not answer. */
async function ask(others: Readonly<Record<string, Status>>): Promise<readonly string[]> {
  const asked: string[] = [];
  await using directory = await temporaryDirectory();
  const server: GrpcServer = createServer({ graceMs: 0 });
  server.addService(MachineService, {
    etcdStatus: (_request, context: CallContext) => {
      const node = context.metadata.get("node") ?? "";
      asked.push(node);
      const status = others[node];
      if (status === undefined) throw new Error("no route");
      return { messages: [{ memberStatus: { leader: 7n, ...status } }] };
    },
  });
  await server.listen({ unix: `${directory.path}/s` });
  try {
    await using connection = connectApi({ endpoints: [`unix://${directory.path}/s`] });
    const { signal } = new AbortController();
    await checkQuorum({ connection, controlPlanes: ["a", "b", "c"], node: "a", doing: "reboot", signal });
  } finally {
    await server.close();
  }
  return asked;
}

describe("checkQuorum()", () => {
  it("asks all others, and agrees when they are well", async () => {
    assert.deepEqual((await ask({ b: {}, c: {} })).toSorted(), ["b", "c"]);
  });
  const cases: readonly (readonly [string, Readonly<Record<string, Status>>, RegExp])[] = [
    ["does not answer", { b: {} }, /etcd member of c does not answer: .*no route/],
    ["is a learner", { b: {}, c: { isLearner: true } }, /member of c is a learner/],
    ["reports an error", { b: { errors: ["NOSPACE"] }, c: {} }, /member of b reports NOSPACE/],
    ["has no leader", { b: { leader: 0n }, c: {} }, /member of b has no leader/],
    ["follows another leader", { b: {}, c: { leader: 8n } }, /follows another leader/],
  ];
  for (const [what, others, message] of cases) {
    it(`refuses when one ${what}`, async () => {
      await assert.rejects(ask(others), (err) => {
        assert.ok(isCode(err, "rolling/quorum"));
        assert.match(err.message, /^Cannot reboot a: /);
        assert.match(err.message, message);
        assert.match(err.next ?? "", /^talosctl --nodes [bc] etcd status$/);
        return true;
      });
    });
  }
});
