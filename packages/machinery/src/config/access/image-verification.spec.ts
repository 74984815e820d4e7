import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadConfig } from "../load/load.ts";
import { imageRuleOf } from "./image-verification.ts";

const config = loadConfig(`apiVersion: v1alpha1
kind: ImageVerificationConfig
rules:
  - {image: "ghcr.io/bad/*", deny: true}
  - {image: "reg.lan/*/app", skip: true}
  - {image: "ghcr.io/*", publicKey: {certificate: x}}
`);

describe("imageRuleOf()", () => {
  const found = (repository: string): readonly string[] => {
    const rule = imageRuleOf(config, repository);
    return rule === undefined ? [] : [rule.id, rule.action];
  };
  it("takes the first rule that matches", () => {
    assert.deepEqual(found("ghcr.io/bad/image"), ["0000", "deny"]);
    assert.deepEqual(found("ghcr.io/good/image"), ["0002", "verify"]);
  });
  it("lets a star stand for any text, and nothing for itself", () => {
    assert.deepEqual(found("reg.lan/team/part/app"), ["0001", "skip"]);
    for (const other of ["reg.lan/app", "reg.lan/team/application", "docker.io/library/busybox", ""]) {
      assert.deepEqual(found(other), [], other);
    }
  });
});
