import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { loadConfig } from "@talos-ts/machinery/config";
import { ImageService } from "@talos-ts/proto/machine/image";
import { createTestNode } from "../../testing.ts";

const rules = `apiVersion: v1alpha1
kind: ImageVerificationConfig
rules:
  - {image: "ghcr.io/bad/*", deny: true}
  - {image: "docker.io/library/*", skip: true}
  - {image: "ghcr.io/*", keyless: {issuer: "https://issuer.lan", subject: me}}
`;

describe("verify()", () => {
  it("allows every image where there are no rules", async () => {
    await using node = await createTestNode();
    const { verified, message } = await node.client(ImageService).verify({ imageRef: "ghcr.io/bad/app:v1" });
    assert.deepEqual([verified, message], [false, "no matched rule"]);
  });
  it("answers as the first matching rule says", async () => {
    await using node = await createTestNode();
    await node.machine.config.activate(loadConfig(rules));
    const ask = (imageRef: string) => node.client(ImageService).verify({ imageRef });
    assert.equal((await ask("busybox")).message, "verification skipped by matched rule (0001)");
    assert.equal((await ask("reg.lan/app")).message, "no matched rule");
    await assert.rejects(ask("ghcr.io/bad/app"), { message: "verification denied by matched rule (0000)" });
    await assert.rejects(ask("ghcr.io/good/app"), (err) => {
      assert.ok(err instanceof OsError);
      assert.equal(err.kind, "unimplemented");
      assert.match(err.message, /rule 0002 wants the signature of an identity/);
      return true;
    });
  });
  it("refuses what is no reference", async () => {
    await using node = await createTestNode();
    await assert.rejects(
      node.client(ImageService).verify({ imageRef: "reg.lan/UPPER" }),
      /image reference is invalid: /,
    );
  });
});
