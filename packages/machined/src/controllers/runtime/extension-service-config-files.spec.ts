import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { ExtensionServiceConfig, ExtensionServiceConfigStatus } from "@talos-ts/machinery/resources/runtime";
import { extensionServiceConfigFilesController } from "./extension-service-config-files.ts";

describe("extensionServiceConfigFilesController()", () => {
  it("writes the files of a service, replaces them, and removes them with the configuration", async () => {
    await using folder = await temporaryDirectory();
    await using kit = controllerTest({ register: [extensionServiceConfigFilesController({ root: folder.path })] });
    const config = createResource(ExtensionServiceConfig, "nut", {
      files: [{ content: "a", mountPath: "/etc/a.conf" }],
      environment: [],
    });
    const path = (name: string): string => join(folder.path, "system/extensions/config/nut", name);
    await kit.create(config);
    const first = await kit.assertResource(ExtensionServiceConfigStatus, "nut");
    assert.equal(await readFile(path("%2Fetc%2Fa.conf"), "utf8"), "a");
    await kit.update(ExtensionServiceConfig, "nut", (spec) => ({
      ...spec,
      files: [{ content: "b", mountPath: "/etc/b.conf" }],
    }));
    await kit.assertResource(ExtensionServiceConfigStatus, "nut", ({ spec }) =>
      assert.notEqual(spec.specVersion, first.spec.specVersion),
    );
    assert.equal(await readFile(path("%2Fetc%2Fb.conf"), "utf8"), "b");
    await assert.rejects(readFile(path("%2Fetc%2Fa.conf")), { code: "ENOENT" });
    await kit.remove(config);
    await kit.assertNoResource(ExtensionServiceConfigStatus, "nut");
    await assert.rejects(readFile(path("%2Fetc%2Fb.conf")), { code: "ENOENT" });
  });
});
