import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { mergeKubeconfig, type ConflictDecision, type MergeOptions } from "./merge-kubeconfig.ts";

const kubeconfig = (server: string, token = "t"): string => `apiVersion: v1
kind: Config
clusters: [{name: demo, cluster: {server: "${server}"}}]
users: [{name: admin@demo, user: {token: ${token}}}]
contexts: [{name: admin@demo, context: {cluster: demo, user: admin@demo}}]
current-context: admin@demo
`;

const decide = (decision: ConflictDecision, renamed: string[] = []): MergeOptions => ({
  onConflict: async () => decision,
  onRename: (component, from, to) => void renamed.push(`${component} ${from} ${to}`),
});

describe("mergeKubeconfig", () => {
  it("makes a new file", async () => {
    assert.deepEqual(
      parse(await mergeKubeconfig("", kubeconfig("https://a"), decide("rename"))),
      parse(kubeconfig("https://a")),
    );
  });

  it("keeps what is there and changes the current context", async () => {
    const before =
      "# mine\napiVersion: v1\nkind: Config\npreferences: {}\nclusters:\n- {name: home, cluster: {}}\ncurrent-context: home\n";
    const text = await mergeKubeconfig(before, kubeconfig("https://a"), decide("rename"));
    assert.match(text, /^# mine\n/);
    const merged = parse(text) as { clusters: { name: string }[]; "current-context": string };
    assert.deepEqual(
      merged.clusters.map(({ name }) => name),
      ["home", "demo"],
    );
    assert.equal(merged["current-context"], "admin@demo");
  });

  it("changes nothing when everything is the same", async () => {
    const renamed: string[] = [];
    const text = await mergeKubeconfig(kubeconfig("https://a"), kubeconfig("https://a"), decide("rename", renamed));
    assert.deepEqual(parse(text), parse(kubeconfig("https://a")));
    assert.deepEqual(renamed, []);
  });

  it("renames what differs, and the context refers to the new names", async () => {
    const renamed: string[] = [];
    const text = await mergeKubeconfig(kubeconfig("https://a"), kubeconfig("https://b"), decide("rename", renamed));
    const merged = parse(text) as { contexts: { name: string; context: object }[]; "current-context": string };
    assert.deepEqual(renamed, ["cluster demo demo-1", "context admin@demo admin@demo-1"]);
    assert.deepEqual(merged.contexts[1], { name: "admin@demo-1", context: { cluster: "demo-1", user: "admin@demo" } });
    assert.equal(merged["current-context"], "admin@demo-1");
  });

  it("overwrites, and names the context as told", async () => {
    const options = { ...decide("overwrite"), contextName: "mine" };
    const merged = parse(await mergeKubeconfig(kubeconfig("https://a"), kubeconfig("https://b", "u"), options)) as {
      clusters: unknown[];
      contexts: { name: string }[];
      "current-context": string;
    };
    assert.deepEqual(merged.clusters, [{ name: "demo", cluster: { server: "https://b" } }]);
    assert.deepEqual(
      merged.contexts.map(({ name }) => name),
      ["admin@demo", "mine"],
    );
    assert.equal(merged["current-context"], "mine");
  });

  it("refuses a file that is no kubeconfig", async () => {
    await assert.rejects(
      mergeKubeconfig("[1, 2", kubeconfig("https://a"), decide("rename")),
      /Cannot merge the kubeconfig/,
    );
  });
});
