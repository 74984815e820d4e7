import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { parseKubeconfig } from "@talos-ts/kubernetes";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { testConfig } from "../../../controllers/internal/testing.ts";
import { createTestNode } from "../../testing.ts";

describe("kubeconfig()", () => {
  it("T-74: issues an administrator's access to the cluster endpoint", async () => {
    await using node = await createTestNode();
    await node.machine.config.activate(await testConfig("controlplane"));
    const chunks: Uint8Array[] = [];
    for await (const { bytes } of node.client(MachineService).kubeconfig({})) chunks.push(bytes);
    const archive = gunzipSync(Buffer.concat(chunks));
    assert.equal(archive.toString("latin1", 0, 10), "kubeconfig");
    assert.equal(archive.toString("latin1", 100, 107), "0000600");
    const text = archive.toString("utf8", 512, 512 + Number.parseInt(archive.toString("latin1", 124, 135), 8));
    assert.match(text, /current-context: admin@test\n/);
    const { server, ca = "", cert = "" } = await parseKubeconfig(text);
    assert.equal(server, "https://10.5.0.2:6443");
    const certificate = new X509Certificate(cert);
    assert.ok(certificate.verify(new X509Certificate(ca).publicKey));
    assert.equal(certificate.subject, "O=system:masters\nCN=admin");
  });

  it("is there only on control planes", async () => {
    await using node = await createTestNode();
    await node.machine.config.activate(await testConfig("worker"));
    await assert.rejects(async () => {
      for await (const _ of node.client(MachineService).kubeconfig({}));
    }, /kubeconfig is only available on control plane nodes/);
  });
});
