import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { nearestVersions, suggestVersion } from "./suggest-version.ts";

const served = ["v1.36.1", "v1.36.10", "v1.36.3", "v1.36.0-rc.1", "v1.35.9", "v1.35.2", "v1.36.5", "v0.1.0"];

function refused(module: string): OsError {
  const message = `Cannot download module ${module}: the module proxy answers 403, it does not serve this version`;
  return new OsError({ kind: "unavailable", code: "image/module-refused", message, next: "talosctl cluster create" });
}

describe("nearestVersions()", () => {
  it("takes the nearest of the same minor version, the later first", () => {
    assert.deepEqual(nearestVersions(served, "v1.36.4"), ["v1.36.5", "v1.36.3", "v1.36.1"]);
    assert.deepEqual(nearestVersions(served, "v1.36.3"), ["v1.36.5", "v1.36.1", "v1.36.10"]);
  });
  it("takes the newest of the nearest minor version when there is none of the same", () => {
    assert.deepEqual(nearestVersions(["v1.34.1", "v1.35.2", "v1.35.9"], "v1.37.0").slice(0, 2), ["v1.35.9", "v1.35.2"]);
    assert.deepEqual(nearestVersions(["v1.36.0-rc.1"], "v1.36.4"), []);
  });
});

describe("suggestVersion()", () => {
  const list = (): Promise<readonly string[]> => Promise.resolve(served);
  it("names versions that are served, also when a module of the release is refused", async () => {
    for (const module of ["k8s.io/kubernetes@v1.36.4", "k8s.io/api@v0.36.4"]) {
      const err = await suggestVersion(refused(module), list);
      assert.ok(err instanceof OsError);
      assert.equal(
        err.next,
        "talosctl cluster create --kubernetes-version 1.36.5 (or 1.36.3, 1.36.1), or --images pull",
      );
      assert.match(err.message, /answers 403/);
    }
  });
  it("leaves other errors alone, and those whose neighbours cannot be listed", async () => {
    const other = refused("go.etcd.io/etcd/server/v3@v3.6.16");
    assert.equal(await suggestVersion(other, list), other);
    const kubernetes = refused("k8s.io/kubernetes@v1.36.4");
    assert.equal(await suggestVersion(kubernetes, () => Promise.reject(new Error("no network"))), kubernetes);
    const failed = new Error("go failed");
    assert.equal(await suggestVersion(failed, list), failed);
  });
});
