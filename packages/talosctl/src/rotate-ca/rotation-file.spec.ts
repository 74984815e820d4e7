import assert from "node:assert/strict";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isCode } from "@talos-ts/base";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { rotationFile } from "./rotation-file.ts";

const rotation = { former: "a", successor: { crt: "b", key: "c" } };

describe("rotationFile()", () => {
  it("keeps rotations for their owner alone, until the last one is done", async () => {
    await using directory = await temporaryDirectory();
    const file = rotationFile(join(directory.path, "config.rotate-ca"));
    assert.deepEqual(await file.read(), {});
    await file.write("talos", rotation);
    await file.write("kubernetes", rotation);
    assert.equal(statSync(file.path).mode & 0o777, 0o600);
    await file.write("talos", undefined);
    assert.deepEqual(await rotationFile(file.path).read(), { kubernetes: rotation });
    await file.write("kubernetes", undefined);
    assert.equal(existsSync(file.path), false);
  });
  it("does not take another file for one", async () => {
    await using directory = await temporaryDirectory();
    const file = rotationFile(join(directory.path, "x"));
    for (const text of ["{", '{"talos": {"former": 1}}', "[]"]) {
      writeFileSync(file.path, text);
      await assert.rejects(file.read(), (err) => isCode(err, "rotate-ca/bad-file"));
    }
  });
});
