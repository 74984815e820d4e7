import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCode } from "@talos-ts/base";
import { ContainerdNamespace as Namespace, ContainerDriver as Driver } from "@talos-ts/proto/common/common";
import { criNamespace, imageNamespace } from "./image-namespace.ts";

describe("imageNamespace()", () => {
  it("T-48: finds the containerd and its namespace", () => {
    assert.equal(imageNamespace({ driver: Driver.CRI, namespace: Namespace.NS_SYSTEM }), "system");
    assert.equal(imageNamespace({ driver: Driver.CRI, namespace: Namespace.NS_CRI }), "cri");
    assert.equal(imageNamespace({ driver: Driver.CONTAINERD, namespace: Namespace.NS_SYSTEM }), "inmem");
    assert.equal(criNamespace(Namespace.NS_CRI), "cri");
  });
  it("refuses pairs that keep no images", () => {
    for (const pair of [undefined, { driver: Driver.CONTAINERD, namespace: Namespace.NS_CRI }]) {
      assert.throws(
        () => imageNamespace(pair),
        (err) => isCode(err, "image/bad-namespace"),
      );
    }
  });
});
