import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { pruneKubeconfig } from "./prune-kubeconfig.ts";

const text = `apiVersion: v1
# kept
clusters:
- {name: home, cluster: {server: "https://home:6443"}}
- {name: demo, cluster: {server: "https://10.5.0.2:6443"}}
contexts:
- {name: home, context: {cluster: home, user: me}}
- {name: admin@demo, context: {cluster: demo, user: admin@demo}}
- {name: me@demo, context: {cluster: demo, user: me}}
users: [{name: me, user: {}}, {name: admin@demo, user: {}}]
current-context: admin@demo
`;

describe("pruneKubeconfig", () => {
  it("removes a cluster with its contexts and the users nobody else has", () => {
    const pruned = pruneKubeconfig(text, (server) => server.includes("10.5.0.2")) ?? "";
    assert.match(pruned, /# kept/);
    assert.deepEqual(parse(pruned), {
      apiVersion: "v1",
      clusters: [{ name: "home", cluster: { server: "https://home:6443" } }],
      contexts: [{ name: "home", context: { cluster: "home", user: "me" } }],
      users: [{ name: "me", user: {} }],
      "current-context": "",
    });
  });

  it("leaves a file alone that has nothing of it", () => {
    assert.equal(
      pruneKubeconfig(text, () => false),
      undefined,
    );
    assert.equal(
      pruneKubeconfig("[", () => true),
      undefined,
    );
  });
});
