import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { SeccompProfile } from "@talos-ts/machinery/resources/cri";
import { mountEverythingAt } from "../internal/testing.ts";
import { seccompProfileFileController } from "./seccomp-profile-file.ts";

describe("seccompProfileFileController()", () => {
  it("keeps the files of the folder as the profiles say", async () => {
    await using root = await temporaryDirectory();
    const folder = join(root.path, "profiles");
    await mkdir(folder);
    await writeFile(join(folder, "old.json"), "{}");
    await using test = controllerTest({
      register: [seccompProfileFileController({ root: root.path }), mountEverythingAt("/profiles")],
    });
    const profile = createResource(SeccompProfile, "a.json", { name: "a.json", value: { defaultAction: "one" } });
    await test.create(profile);
    await test.settled();
    assert.deepEqual(await readdir(folder), ["a.json"]);
    await test.update(SeccompProfile, "a.json", (spec) => ({ ...spec, value: { defaultAction: "two" } }));
    await test.settled();
    assert.equal(await readFile(join(folder, "a.json"), "utf8"), '{"defaultAction":"two"}');
    await test.remove(await test.assertResource(SeccompProfile, "a.json"));
    await test.settled();
    assert.deepEqual(await readdir(folder), []);
  });
});
