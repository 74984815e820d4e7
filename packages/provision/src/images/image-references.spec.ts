import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { imageNames } from "@talos-ts/imager";
import { imageReferences } from "./image-references.ts";

test("imageReferences names every image that is built", () => {
  assert.deepEqual(Object.keys(imageReferences()).sort(), [...imageNames].sort());
});

test("imageReferences follows the version of Kubernetes, with or without its v", () => {
  assert.equal(imageReferences("1.35.2").apiServer, "registry.k8s.io/kube-apiserver:v1.35.2");
  assert.deepEqual(imageReferences("v1.35.2"), imageReferences("1.35.2"));
});

test("imageReferences has the versions that are pinned for building", () => {
  const goMod = readFileSync(new URL("../../../imager/go/images/go.mod", import.meta.url), "utf8");
  const pinned = {
    apiServer: "k8s.io/kubernetes",
    coreDNS: "github.com/coredns/coredns",
    etcd: "go.etcd.io/etcd/server/v3",
    flannel: "github.com/flannel-io/flannel",
  } as const;
  for (const [name, path] of Object.entries(pinned)) {
    const version = new RegExp(`^\\t${path} v(\\S+)`, "m").exec(goMod)?.[1];
    const reference = imageReferences()[name as keyof typeof pinned];
    assert.equal(reference.slice(reference.lastIndexOf(":") + 1).replace(/^v/, ""), version, name);
  }
});
