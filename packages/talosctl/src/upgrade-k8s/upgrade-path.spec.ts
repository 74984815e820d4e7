import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCode } from "@talos-ts/base";
import { checkCompatible, compareVersions, upgradePath, versionOfImage } from "./upgrade-path.ts";

describe("upgradePath()", () => {
  it("goes to any version of the same minor, and to the next minor", () => {
    assert.deepEqual(upgradePath("v1.36.3", "1.36.4"), { from: "1.36.3", to: "1.36.4" });
    assert.deepEqual(upgradePath("1.36.4", "1.36.3"), { from: "1.36.4", to: "1.36.3" });
    assert.deepEqual(upgradePath("1.35.9", "v1.36.0-rc.1"), { from: "1.35.9", to: "1.36.0-rc.1" });
  });
  it("refuses to skip a minor, and to go back one", () => {
    for (const [from, to] of [
      ["1.34.1", "1.36.4"],
      ["1.36.4", "1.35.9"],
      ["1.36.4", "2.36.4"],
    ] as const) {
      assert.throws(
        () => upgradePath(from, to),
        (err) => isCode(err, "upgrade/unsupported-path"),
      );
    }
    assert.throws(
      () => upgradePath("1.34.1", "1.36.4"),
      /unsupported upgrade path 1\.34->1\.36 \(from "1\.34\.1" to "1\.36\.4"\)/,
    );
  });
  it("refuses what is no version", () => {
    assert.throws(
      () => upgradePath("1.36.4", "latest"),
      (err) => isCode(err, "upgrade/bad-version"),
    );
  });
});

describe("checkCompatible()", () => {
  it("takes the versions of Kubernetes that Talos 1.13 runs", () => {
    checkCompatible("10.5.0.2", "v1.13.9", "1.31.0");
    checkCompatible("10.5.0.2", "v1.13.9", "1.36.9");
    assert.throws(
      () => checkCompatible("10.5.0.2", "v1.13.9", "1.37.0"),
      /node "10\.5\.0\.2": version of Kubernetes 1\.37\.0 is too new to be used with Talos 1\.13\.9/,
    );
    assert.throws(() => checkCompatible("10.5.0.2", "v1.13.9", "1.30.9"), /is too old/);
  });
});

describe("versionOfImage()", () => {
  it("reads the tag, also before a digest", () => {
    assert.equal(versionOfImage("registry.k8s.io/kube-proxy:v1.36.4"), "1.36.4");
    assert.equal(versionOfImage("host:5000/kubelet:v1.36.4-fat@sha256:00"), "1.36.4-fat");
    assert.equal(versionOfImage("host:5000/kubelet"), undefined);
  });
});

describe("compareVersions()", () => {
  it("compares numbers, not texts", () => {
    assert.deepEqual(["1.9.10", "1.36.4", "1.9.9"].toSorted(compareVersions), ["1.9.9", "1.9.10", "1.36.4"]);
  });
});
