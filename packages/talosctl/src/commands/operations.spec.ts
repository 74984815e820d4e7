import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { Operation } from "@talos-ts/machinery/resources/runtime";
import { startFakeNode, type FakeNode } from "../testing/fake-node.ts";

describe("talosctl operations", () => {
  let node: FakeNode;
  before(async () => {
    node = await startFakeNode({ types: [Operation] });
    const common = { steps: ["checks", "kubelet on 10.5.0.3"], started: "2026-01-01T00:00:00Z", updated: "" };
    const add = (id: string, spec: Parameters<typeof Operation.spec>[0]) =>
      node.state.create(createResource(Operation, id, Operation.spec({ ...common, ...spec })));
    await add("aaaa", { kind: "upgrade-k8s", title: "1.36.3 -> 1.36.4", state: "done", done: 2 });
    await add("bbbb", { kind: "rotate-ca", state: "failed", done: 1, error: "no route", next: "talosctl version" });
    await add("cccc", { kind: "upgrade-k8s", state: "lost", error: "no report", started: "2026-01-02T00:00:00Z" });
  });
  after(() => node[Symbol.asyncDispose]());

  it("lists operations, oldest first", async () => {
    const { out } = await node.run("operations", "-n", "a");
    assert.match(out, /^NODE +ID +KIND +STATE +PROGRESS +STEP +STARTED\n/);
    assert.match(out, /aaaa +upgrade-k8s +done +2\/2 [^]* cccc +upgrade-k8s +lost +0\/2/);
    const json = await node.run("operations", "bb", "-n", "a", "-o", "json");
    assert.equal((JSON.parse(json.out) as { error: string }[])[0]?.error, "no route");
  });
  it("ends with the result of the operation it follows", async () => {
    assert.equal((await node.run("operations", "aa", "--watch", "-n", "a")).code, 0);
    const failed = await node.run("operations", "bb", "--watch", "-n", "a");
    assert.equal(failed.code, 1);
    assert.match(failed.err, /rotate-ca failed: no route[^]*talosctl version/);
    const last = await node.run("operations", "--watch", "-n", "a");
    assert.equal(last.code, 1);
    assert.match(last.err, /upgrade-k8s was given up: no report/);
  });
  it("says when there is none", async () => {
    const { err, code } = await node.run("operations", "ff", "--watch", "-n", "a");
    assert.equal(code, 1);
    assert.match(err, /There is no operation "ff"/);
  });
});
