import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { containerPlatform, decodeUserData } from "./container.ts";

const { signal } = new AbortController();

describe("containerPlatform()", () => {
  it("takes the configuration from USERDATA, plain or compressed", async () => {
    const yaml = "version: v1alpha1\n";
    const plain = containerPlatform({ env: { USERDATA: Buffer.from(yaml).toString("base64") } });
    assert.equal((await plain.configuration(signal))?.toString(), yaml);
    assert.equal(decodeUserData(gzipSync(yaml).toString("base64")).toString(), yaml);
    assert.equal(await containerPlatform({ env: {} }).configuration(signal), undefined);
  });
  it("says what is wrong with USERDATA", () => {
    assert.throws(() => decodeUserData("%%%"), { code: "platform/userdata" });
    assert.throws(() => decodeUserData(Buffer.from([0x1f, 0x8b, 1, 2]).toString("base64")), {
      code: "platform/userdata",
    });
  });
  it("reads name and resolvers from the files of the container", async () => {
    const root = await mkdtemp(join(tmpdir(), "platform-"));
    try {
      await mkdir(join(root, "etc"));
      await writeFile(join(root, "etc/hostname"), "node-1\n");
      await writeFile(
        join(root, "etc/resolv.conf"),
        "# by hand\nnameserver 10.5.0.1\nsearch x\n  nameserver fd00::1\n",
      );
      const network = await containerPlatform({ env: { TALOSSKU: "2CPU-4RAM" }, root }).network();
      assert.deepEqual(network, { hostname: "node-1", resolvers: ["10.5.0.1", "fd00::1"], instanceType: "2CPU-4RAM" });
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
