import assert from "node:assert/strict";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { chooseNodes } from "./choose-nodes.ts";
import { planCluster } from "./cluster-plan.ts";

const plan = planCluster({ name: "a", workers: 2 }, "/clusters");
const choose = (...words: string[]): string[] => chooseNodes(plan, words).map(({ name }) => name);

test("chooseNodes takes names, short names and addresses, each node once and in the order of the plan", () => {
  assert.deepEqual(choose("worker-2", "10.5.0.2", "a-worker-2"), ["a-controlplane-1", "a-worker-2"]);
  assert.deepEqual(choose(), ["a-controlplane-1", "a-worker-1", "a-worker-2"]);
});

test("chooseNodes names the nearest node when there is none of that name", () => {
  for (const word of ["a-wroker-2", "wroker-2"]) {
    assert.throws(
      () => choose(word),
      (err) => isCode(err, "provision/no-node") && err.message.endsWith(`in cluster "a"; did you mean "a-worker-2"?`),
    );
  }
  assert.throws(
    () => choose("nonsense"),
    (err) => isCode(err, "provision/no-node") && err.message.endsWith(`in cluster "a"`) && err.next !== undefined,
  );
});
