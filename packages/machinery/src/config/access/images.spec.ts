import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadConfig } from "../load/load.ts";
import { defaultImage, imagesOf } from "./images.ts";

describe("imagesOf()", () => {
  it("takes images of the configuration, and the defaults for the others", () => {
    const images = imagesOf(
      loadConfig(
        "version: v1alpha1\nmachine: {type: worker}\ncluster: {apiServer: {image: registry.lan/api:v1.2.3}}\n",
      ),
    );
    assert.equal(images.apiServer, "registry.lan/api:v1.2.3");
    assert.match(images.kubelet, /^ghcr\.io\/siderolabs\/kubelet:v\d/);
    assert.equal(images.pause, "registry.k8s.io/pause:3.10.1");
  });
  it("has the version of Kubernetes only in images of Kubernetes", () => {
    assert.equal(defaultImage("scheduler", "1.30.1"), "registry.k8s.io/kube-scheduler:v1.30.1");
    assert.equal(defaultImage("etcd", "1.30.1"), defaultImage("etcd"));
  });
});
