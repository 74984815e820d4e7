import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCode, OsError } from "@talos-ts/base";
import type { ClusterNodes } from "@talos-ts/machinery/health";
import type { ClusterState } from "./cluster-state.ts";
import { keeperOf } from "./keeper.ts";
import { rollingSteps } from "./rolling-steps.ts";
import type { RollingContext, RollingWork } from "./rolling-work.ts";

/** A cluster that records what is asked of it. */
function fakeCluster(controlPlanes: readonly string[], log: string[]): ClusterState {
  let nodes: ClusterNodes = { controlPlanes, workers: ["w"] };
  return {
    get nodes() {
      return nodes;
    },
    isControlPlane: (node) => nodes.controlPlanes.includes(node),
    remove: (node) => void (nodes = { ...nodes, controlPlanes: nodes.controlPlanes.filter((each) => each !== node) }),
    untilHealthy: async () => void log.push("healthy"),
    requireHealthy: async (doing, node) => void log.push(`may ${doing} ${node}?`),
    requireQuorum: async () => undefined,
  };
}

interface Fake {
  readonly log: string[];
  readonly cluster: ClusterState;
  readonly context: RollingContext;
}

function fake(controlPlanes: readonly string[]): Fake {
  const log: string[] = [];
  const cluster = fakeCluster(controlPlanes, log);
  const tell = (node: string, text: string): void => void log.push(`${node}: ${text}`);
  const { signal } = new AbortController();
  // The work of these tests uses neither session nor invocation.
  return { log, cluster, context: { cluster, tell, signal } as unknown as RollingContext };
}

function workOf(log: string[], erases: boolean, finished = false): RollingWork {
  return {
    kind: erases ? "reset" : "reboot",
    erases,
    run: async ({ cluster }, node) => {
      log.push(`do ${node}`);
      if (erases) cluster.remove(node);
    },
    finish: async (_context, node) => {
      log.push(`finished ${node}?`);
      return finished;
    },
  };
}

async function runAll({ log, context }: Fake, work: RollingWork, ...rest: [string[], { done: number }?]) {
  const [targets, former] = rest;
  const started = "2026-01-01T00:00:00Z";
  const { steps } = rollingSteps(work, context, targets, former && { ...former, started });
  for (const step of steps) await step.run();
  return log;
}

describe("rollingSteps()", () => {
  it("does one node after the other, in a healthy cluster", async () => {
    const made = fake(["a", "b", "c"]);
    assert.deepEqual(await runAll(made, workOf(made.log, false), ["w", "a"]), [
      "may reboot w?",
      "do w",
      "healthy",
      "may reboot a?",
      "do a",
      "healthy",
    ]);
  });
  it("leaves out what is done, and asks the node whose turn was interrupted", async () => {
    for (const finished of [true, false]) {
      const made = fake(["a", "b", "c"]);
      const log = await runAll(made, workOf(made.log, false, finished), ["a", "b", "c"], { done: 1 });
      const turn = finished ? ["b: was done before"] : ["may reboot b?", "do b"];
      assert.deepEqual(log, ["finished b?", ...turn, "healthy", "may reboot c?", "do c", "healthy"]);
    }
  });
  it("stops at a node whose turn the cluster does not allow", async () => {
    const made = fake(["a", "b", "c"]);
    const refusal = new OsError({ kind: "failed-precondition", code: "rolling/not-healthy", message: "b is away" });
    const cluster: ClusterState = { ...made.cluster, requireHealthy: () => Promise.reject(refusal) };
    const { steps } = rollingSteps(workOf(made.log, false), { ...made.context, cluster }, ["a"], undefined);
    await assert.rejects(async () => await steps[0]?.run(), refusal);
    assert.deepEqual(made.log, []);
  });
  it("says when a reboot takes the quorum away, and does not erase the last control plane", async () => {
    const two = fake(["a", "b"]);
    assert.ok(
      (await runAll(two, workOf(two.log, false), ["a"])).some((line) => line.startsWith("a: etcd has no quorum")),
    );
    const made = fake(["a", "b"]);
    await assert.rejects(runAll(made, workOf(made.log, true), ["a", "b"]), (err) =>
      isCode(err, "rolling/last-control-plane"),
    );
    assert.deepEqual(made.log, ["may reset a?", "do a", "healthy", "may reset b?"]);
  });
});

describe("keeperOf()", () => {
  it("is a control plane that is left alone, else the last in turn, else that of the former call", () => {
    const { cluster } = fake(["a", "b", "c"]);
    const current = (): string => "";
    const keeper = (targets: readonly string[], former?: { readonly keeper: string }): string | undefined =>
      keeperOf({ erases: false }, cluster, targets, former, current)();
    assert.equal(keeper(["a", "w"]), "b");
    assert.equal(keeper(["c", "a", "b", "w"]), "b");
    assert.equal(keeper(["a"], { keeper: "c" }), "c");
  });
  it("hands the record over before it is erased, and stays with the next", () => {
    const { cluster } = fake(["a", "b"]);
    let current = "a";
    const keeper = keeperOf({ erases: true }, cluster, ["a", "b"], undefined, () => current);
    assert.equal(keeper(), "b");
    current = "b";
    assert.equal(keeper(), "a");
    current = "w";
    assert.equal(keeper(), "a");
    assert.equal(keeperOf({ erases: false }, cluster, ["a", "b"], undefined, () => "b")(), "b");
  });
});
