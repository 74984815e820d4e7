import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { RegistryConfig } from "@talos-ts/machinery/resources/cri";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { testMachine } from "../internal/testing.ts";
import { criRegistryConfigController } from "./cri-registry-config.ts";

describe("criRegistryConfigController()", () => {
  it("writes hosts.toml of a mirror, and credentials into the part of containerd's configuration", async () => {
    await using root = await temporaryDirectory();
    const machine = testMachine({ root: root.path });
    for (const prefix of ["", "/system"]) machine.linux.paths.add(`${root.path}${prefix}/etc/cri/conf.d/hosts`);
    await using kit = controllerTest({ register: [criRegistryConfigController(machine)] });
    const endpoints = [{ endpoint: "http://10.5.0.1:5000", overridePath: false }];
    const auth = { username: "me", password: "secret", auth: "", identityToken: "" };
    const spec = RegistryConfig.spec({
      mirrors: { "reg.lan": { endpoints, skipFallback: false } },
      auths: { "reg.lan": auth },
    });
    await kit.create(createResource(RegistryConfig, RegistryConfig.id, spec));
    await kit.assertResource(EtcFileSpec, "cri/conf.d/01-registries.part", (file) =>
      assert.match(file.spec.contents, /registry\.configs\."reg\.lan"\.auth\]\nusername = "me"\npassword = "secret"/),
    );
    const path = join(root.path, "system/etc/cri/conf.d/hosts/reg.lan/hosts.toml");
    assert.match(await readFile(path, "utf8"), /http:\/\/10\.5\.0\.1:5000/);
  });
});
