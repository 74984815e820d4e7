import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { VolumeMountRequest } from "@talos-ts/machinery/resources/block";
import { Identity } from "@talos-ts/machinery/resources/cluster";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { mountEverythingAt } from "../internal/testing.ts";
import { decodeBase62, encodeBase62 } from "./internal/base62.ts";
import { nodeIdentityController } from "./node-identity.ts";

/** An identity made by the Go implementation, and what it makes of it. */
const known = { nodeId: "sou7yy34ykX3n373Zw1DXKb8zD7UnyKT6HT3QDsGH6L", machineId: "be871ac0d0dd31fa4caca753b0f3f1b2" };

describe("nodeIdentityController()", () => {
  it("makes an identity once and finds it again", async () => {
    await using directory = await temporaryDirectory();
    await mkdir(join(directory.path, "state"));
    const register = () => [nodeIdentityController({ root: directory.path }), mountEverythingAt("/state")];
    let nodeId = "";
    {
      await using test = controllerTest({ register: register() });
      ({ nodeId } = (await test.assertResource(Identity, "local")).spec);
      await test.assertNoResource(VolumeMountRequest, "cluster.NodeIdentityController-STATE");
      assert.ok([31, 32].includes(decodeBase62(nodeId).length));
      assert.equal(await readFile(join(directory.path, "state/node-identity.yaml"), "utf8"), `nodeId: ${nodeId}\n`);
    }
    await using again = controllerTest({ register: register() });
    await again.assertSpec(Identity, "local", { nodeId });
  });

  it("derives the machine id as other implementations do", async () => {
    await using directory = await temporaryDirectory();
    await mkdir(join(directory.path, "state"));
    await writeFile(join(directory.path, "state/node-identity.yaml"), `nodeId: ${known.nodeId}\n`);
    await using test = controllerTest({
      register: [nodeIdentityController({ root: directory.path }), mountEverythingAt("/state")],
    });
    await test.assertSpec(Identity, "local", { nodeId: known.nodeId });
    await test.assertResource(EtcFileSpec, "machine-id", ({ spec }) =>
      assert.deepEqual([spec.contents, spec.mode], [known.machineId, 0o444]),
    );
  });

  it("refuses a file that is damaged instead of becoming somebody else", async () => {
    await using directory = await temporaryDirectory();
    await mkdir(join(directory.path, "state"));
    await writeFile(join(directory.path, "state/node-identity.yaml"), "\0\0\0");
    await using test = controllerTest({
      register: [nodeIdentityController({ root: directory.path }), mountEverythingAt("/state")],
    });
    await test.assertStatus("cluster.NodeIdentityController", ({ state }) => assert.notEqual(state, "waiting"));
    await test.assertNoResource(Identity, "local");
  });
});

describe("encodeBase62()", () => {
  it("is undone by decodeBase62()", () => {
    for (let round = 0; round < 500; round += 1) {
      const bytes = Uint8Array.from(
        { length: 32 },
        (_, index) => (index === 0 ? 0x80 : 0) | ((round * (index + 7) * 31) & 0xff),
      );
      assert.deepEqual(decodeBase62(encodeBase62(bytes)), bytes);
    }
    assert.equal(encodeBase62(new Uint8Array(32).fill(0xff)).length, 52);
    assert.throws(() => decodeBase62("a-b"), { code: "cluster/bad-node-id" });
  });
});
