import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { KubeletKubeconfig } from "@talos-ts/machinery/resources/k8s";
import { kubeletKubeconfigController } from "./kubelet-kubeconfig.ts";

describe("kubeletKubeconfigController()", () => {
  it("follows the file: none, written, changed, removed", async () => {
    await using root = await temporaryDirectory();
    const path = join(root.path, "etc/kubernetes/kubeconfig-kubelet");
    await mkdir(join(root.path, "etc/kubernetes"), { recursive: true });
    await using test = controllerTest({ register: [kubeletKubeconfigController({ root: root.path })] });
    await test.settled();
    await test.assertNoResource(KubeletKubeconfig, "kubelet");
    await writeFile(path, "one");
    const first = await test.assertResource(KubeletKubeconfig, "kubelet", ({ spec }) =>
      assert.match(spec.hash, /^7692/),
    );
    await writeFile(path, "two");
    await test.assertResource(KubeletKubeconfig, "kubelet", ({ spec }) => assert.notEqual(spec.hash, first.spec.hash));
    await rm(path);
    await test.assertNoResource(KubeletKubeconfig, "kubelet");
  });
});
