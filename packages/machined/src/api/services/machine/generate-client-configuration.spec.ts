import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import { contextCertificate, decodeTalosconfig } from "@talos-ts/machinery/talosconfig";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { testConfig } from "../../../controllers/internal/testing.ts";
import { createTestNode } from "../../testing.ts";

const hour = { seconds: 3600n };

describe("generateClientConfiguration()", () => {
  it("issues a certificate with the roles and the lifetime asked for", async () => {
    await using node = await createTestNode();
    await node.machine.config.activate(await testConfig("controlplane"));
    const request = { roles: ["os:reader"], crtTtl: hour };
    const [answer] = (await node.client(MachineService).generateClientConfiguration(request)).messages;
    assert.ok(answer !== undefined);
    const certificate = new X509Certificate(Buffer.from(answer.crt));
    assert.ok(certificate.verify(new X509Certificate(Buffer.from(answer.ca)).publicKey));
    const text = Buffer.from(answer.talosconfig).toString();
    const config = decodeTalosconfig(text);
    assert.equal(config.context, "reader@test");
    const context = config.contexts.get("reader@test");
    assert.ok(context !== undefined);
    const issued = contextCertificate(context, "reader@test", new Date());
    assert.deepEqual(issued?.roles, ["os:reader"]);
    assert.ok(issued.remainingMs <= 3_600_000 && issued.remainingMs > 0);
  });
  it("needs a lifetime", async () => {
    await using node = await createTestNode();
    await node.machine.config.activate(await testConfig("controlplane"));
    await assert.rejects(node.client(MachineService).generateClientConfiguration({}), {
      kind: "invalid-argument",
      message: "crt_ttl should be positive",
    });
  });
  it("is there only where the CA is", async () => {
    await using node = await createTestNode();
    await node.machine.config.activate(await testConfig("worker"));
    await assert.rejects(node.client(MachineService).generateClientConfiguration({ crtTtl: hour }), {
      kind: "unimplemented",
      message: "generate client configuration is only available on control plane nodes",
    });
  });
});
