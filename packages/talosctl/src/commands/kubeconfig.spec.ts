import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { startFakeNode, type FakeNode } from "../testing/fake-node.ts";
import { tarGz } from "../testing/tar.ts";

const sent = `apiVersion: v1
kind: Config
clusters: [{name: demo, cluster: {server: "https://10.5.0.2:6443"}}]
users: [{name: admin@demo, user: {token: t}}]
contexts: [{name: admin@demo, context: {cluster: demo, user: admin@demo}}]
current-context: admin@demo
`;

function startNode(): Promise<FakeNode> {
  return startFakeNode({
    machine: {
      async *kubeconfig() {
        yield { bytes: tarGz([{ name: "kubeconfig", content: sent }]) };
      },
    },
  });
}

describe("kubeconfig", () => {
  it("T-74: merges into a file, and renames what is there with other contents", async () => {
    await using node = await startNode();
    const path = join(node.folder, "config");
    assert.deepEqual(await node.run("kubeconfig", path, "-n", "a"), { out: "", err: "", code: 0 });
    assert.deepEqual(parse(await readFile(path, "utf8")), parse(sent));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    await writeFile(path, sent.replace("10.5.0.2", "10.6.0.2"));
    const { out, err } = await node.run("kubeconfig", path, "-n", "a");
    assert.equal(out, "");
    assert.equal(err, 'renamed cluster "demo" -> "demo-1"\nrenamed context "admin@demo" -> "admin@demo-1"\n');
  });

  it("overwrites with --force and names the context", async () => {
    await using node = await startNode();
    const path = join(node.folder, "config");
    await writeFile(path, sent.replace("10.5.0.2", "10.6.0.2"));
    const { out, code } = await node.run("kubeconfig", path, "-f", "--force-context-name", "mine", "-n", "a");
    assert.deepEqual([out, code], ["", 0]);
    const merged = parse(await readFile(path, "utf8")) as { clusters: unknown[]; "current-context": string };
    assert.equal(merged.clusters.length, 1);
    assert.equal(merged["current-context"], "mine");
  });

  it("writes a file of its own without merging, but not over another", async () => {
    await using node = await startNode();
    assert.equal((await node.run("kubeconfig", node.folder, "--merge=false", "-n", "a")).code, 0);
    assert.equal(await readFile(join(node.folder, "kubeconfig"), "utf8"), sent);
    const { err, code } = await node.run("kubeconfig", node.folder, "--merge=false", "-n", "a");
    assert.match(err, /kubeconfig file already exists, use --force to overwrite: ".*kubeconfig"/);
    assert.equal(code, 1);
    assert.equal((await node.run("kubeconfig", "-", "--merge=false", "-n", "a")).out, sent);
  });
});
