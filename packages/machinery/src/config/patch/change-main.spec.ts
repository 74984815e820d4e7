import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCode } from "@talos-ts/base";
import { encodePreserving } from "../encode/preserve.ts";
import { loadConfig } from "../load/load.ts";
import { changeMain } from "./change-main.ts";

describe("changeMain()", () => {
  const text = `version: v1alpha1
machine:
  type: worker # do not change
cluster:
  controlPlane:
    endpoint: https://10.5.0.2:6443
---
apiVersion: v1alpha1
kind: HostnameConfig
hostname: a
`;
  it("changes only the lines that must change, and keeps the other documents", () => {
    const config = changeMain(loadConfig(text), (main) => ({
      ...main,
      machine: { ...main.machine, kubelet: { image: "kubelet:v1.36.4" } },
    }));
    assert.equal(
      encodePreserving(config),
      text.replace("# do not change\n", "# do not change\n  kubelet:\n    image: kubelet:v1.36.4\n"),
    );
    assert.equal(encodePreserving(changeMain(loadConfig(text), (main) => main)), text);
  });
  it("refuses a configuration without a main document", () => {
    assert.throws(
      () => changeMain(loadConfig("apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n"), (main) => main),
      (err) => isCode(err, "config/no-main-document"),
    );
  });
});
