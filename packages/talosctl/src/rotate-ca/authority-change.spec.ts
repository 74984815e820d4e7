import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pemToBase64 } from "@talos-ts/crypto";
import type { MainConfig } from "@talos-ts/machinery/config";
import { acceptAuthority, dropAuthority, issueWith } from "./authority-change.ts";

const former = { crt: "former certificate\n", key: "former key\n" };
const successor = { crt: "new certificate\n", key: "new key\n" };
const other = { crt: pemToBase64("somebody else\n") };
const [old, fresh] = [pemToBase64(former.crt), pemToBase64(successor.crt)];

function config(type: string): MainConfig {
  const ca = { crt: old, key: type === "worker" ? "" : pemToBase64(former.key) };
  return { version: "v1alpha1", machine: { type, ca, acceptedCAs: [other] }, cluster: { ca } };
}

describe("acceptAuthority()", () => {
  it("adds the authority once, and not where it issues already", () => {
    const once = acceptAuthority(config("worker"), "machine", successor.crt);
    assert.deepEqual(once.machine?.acceptedCAs, [other, { crt: fresh }]);
    assert.equal(acceptAuthority(once, "machine", successor.crt), once);
    const swapped = issueWith(once, "machine", successor, former.crt);
    assert.equal(acceptAuthority(swapped, "machine", successor.crt), swapped);
  });
});

describe("issueWith()", () => {
  it("gives control planes the key, workers the certificate alone, and keeps the former accepted", () => {
    for (const [type, key] of [
      ["controlplane", pemToBase64(successor.key)],
      ["worker", ""],
    ] as const) {
      const accepted = acceptAuthority(config(type), "cluster", successor.crt);
      const { cluster, machine } = issueWith(accepted, "cluster", successor, former.crt);
      assert.deepEqual(cluster?.ca, { crt: fresh, key });
      assert.deepEqual(cluster?.acceptedCAs, [{ crt: old }]);
      assert.equal(machine?.ca?.crt, old, "the other section stays");
    }
  });
  it("leaves a node alone that is past it", () => {
    const swapped = issueWith(config("controlplane"), "machine", successor, former.crt);
    assert.deepEqual(swapped.machine?.acceptedCAs, [other, { crt: old }]);
    assert.equal(issueWith(swapped, "machine", successor, former.crt), swapped);
    const done = dropAuthority(swapped, "machine", former.crt);
    assert.equal(issueWith(done, "machine", successor, former.crt), done);
  });
});

describe("dropAuthority()", () => {
  it("removes the former alone, and the list with the last one", () => {
    const swapped = issueWith(config("controlplane"), "machine", successor, former.crt);
    assert.deepEqual(dropAuthority(swapped, "machine", former.crt).machine?.acceptedCAs, [other]);
    const cluster = issueWith(config("controlplane"), "cluster", successor, former.crt);
    assert.equal("acceptedCAs" in (dropAuthority(cluster, "cluster", former.crt).cluster ?? {}), false);
  });
});
