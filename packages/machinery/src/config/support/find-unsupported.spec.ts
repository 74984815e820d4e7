import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { documentKinds } from "../documents/index.ts";
import { loadConfig } from "../load/load.ts";
import { findUnsupported } from "./find-unsupported.ts";
import { unsupportedSettings } from "./unsupported.ts";

const main = "version: v1alpha1\nmachine:\n  type: worker\n";

describe("findUnsupported()", () => {
  test("names documents and fields that nothing acts on", () => {
    const config = loadConfig(
      `${main}  network: {kubespan: {enabled: true}}\n` +
        "---\napiVersion: v1alpha1\nkind: SideroLinkConfig\napiUrl: grpc://10.5.0.1:4000\n" +
        "---\napiVersion: v1alpha1\nkind: ImageVerificationConfig\nrules: [{image: a/*, keyless: {issuer: b, subject: c}}]\n",
    );
    assert.deepEqual(findUnsupported(config), [
      "ImageVerificationConfig is accepted, but this version does not support it: pulls of the machine and of its API follow the rules, pulls for pods do not: this containerd asks nobody",
      "ImageVerificationConfig, rules[].keyless is accepted, but this version does not support it: images that such a rule matches are refused",
      "SideroLinkConfig is accepted, but this version does not support it: nothing acts on it",
      "machine.network.kubespan is accepted, but this version does not support it: nothing acts on it",
    ]);
  });

  test("says nothing of what is off, empty, or has an effect", () => {
    const text = `${main}  sysctls: {a: b}\n  network: {kubespan: {enabled: false}, hostname: a}\n  udev: {rules: []}\n`;
    assert.deepEqual(findUnsupported(loadConfig(text)), []);
  });
});

describe("unsupportedSettings", () => {
  test("names documents that exist", () => {
    const kinds = new Set(documentKinds());
    assert.deepEqual(
      unsupportedSettings.flatMap(({ kind }) => kind ?? []).filter((kind) => !kinds.has(kind)),
      [],
    );
  });
});
