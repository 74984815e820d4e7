import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { injectServiceAccount } from "./inject-service-account.ts";

const deployment = `# how it runs
apiVersion: apps/v1
kind: Deployment
metadata:
  name: tool
  namespace: ops
spec:
  template:
    spec:
      initContainers:
        - name: first # once
          image: a
      containers:
        - name: main
          image: b
          volumeMounts:
            - name: data
              mountPath: /data
`;

const injected = `# how it runs
apiVersion: apps/v1
kind: Deployment
metadata:
  name: tool
  namespace: ops
spec:
  template:
    spec:
      initContainers:
        - name: first # once
          image: a
          volumeMounts:
            - name: talos-secrets
              mountPath: /var/run/secrets/talos.dev
      containers:
        - name: main
          image: b
          volumeMounts:
            - name: data
              mountPath: /data
            - name: talos-secrets
              mountPath: /var/run/secrets/talos.dev
      volumes:
        - name: talos-secrets
          secret:
            secretName: tool-talos-secrets
---
apiVersion: talos.dev/v1alpha1
kind: ServiceAccount
metadata:
  name: tool-talos-secrets
  namespace: ops
spec:
  roles:
    - os:reader
`;

const config = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\n";

describe("injectServiceAccount()", () => {
  it("mounts a secret into every container, and adds the account it comes from", () => {
    assert.equal(injectServiceAccount(deployment, ["os:reader"]), injected);
  });

  it("leaves other documents as they are", () => {
    assert.equal(injectServiceAccount(`${config}---\n${deployment}`, ["os:reader"]), `${config}---\n${injected}`);
    assert.equal(injectServiceAccount(config, ["os:reader"]), config);
  });

  it("done again, changes only the roles", () => {
    assert.equal(injectServiceAccount(injected, ["os:reader"]), injected);
    assert.equal(
      injectServiceAccount(injected, ["os:admin", "os:reader"]),
      injected.replace("    - os:reader", "    - os:admin\n    - os:reader"),
    );
  });

  it("knows every kind with pods", () => {
    const pod = "spec: {containers: [{name: a}]}";
    for (const [kind, body] of [
      ["v1\nkind: Pod", pod],
      ["apps/v1\nkind: StatefulSet", `spec: {template: {${pod}}}`],
      ["apps/v1\nkind: DaemonSet", `spec: {template: {${pod}}}`],
      ["batch/v1\nkind: Job", `spec: {template: {${pod}}}`],
      ["batch/v1\nkind: CronJob", `spec: {jobTemplate: {spec: {template: {${pod}}}}}`],
    ] as const) {
      const text = injectServiceAccount(`apiVersion: ${kind}\nmetadata: {name: x}\n${body}\n`, ["os:reader"]);
      assert.match(text, /name: x-talos-secrets\n/, kind);
    }
  });

  it("refuses what is no YAML", () => {
    assert.throws(() => injectServiceAccount("a: [", ["os:reader"]), { code: "inject/bad-manifest" });
  });
});
