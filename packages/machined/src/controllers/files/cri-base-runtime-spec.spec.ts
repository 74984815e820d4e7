import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcFileSpec, EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { registriesConfigController } from "../cri/registries-config.ts";
import { activeResource, mainDocument, testMachine } from "../internal/testing.ts";
import { criBaseRuntimeSpecController } from "./cri-base-runtime-spec.ts";
import { criConfigPartsController } from "./cri-config-parts.ts";
import { criRegistryConfigController } from "./cri-registry-config.ts";
import { parseToml } from "../../toml/parse.ts";

async function test() {
  const root = await mkdtemp(join(tmpdir(), "cri-"));
  const machine = testMachine({ root });
  machine.linux.paths.add(`${root}/etc/cri/conf.d/hosts`);
  machine.linux.paths.add(`${root}/system/etc/cri/conf.d/hosts`);
  const kit = controllerTest({
    register: [
      registriesConfigController(),
      criBaseRuntimeSpecController(),
      criConfigPartsController(machine),
      criRegistryConfigController(machine),
    ],
  });
  const folder = join(root, "system/etc/cri/conf.d/hosts");
  return {
    ...kit,
    hosts: () => readdir(folder),
    hostsToml: async (name: string) => parseToml(await readFile(join(folder, name, "hosts.toml"), "utf8")),
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await rm(root, { recursive: true });
    },
  };
}

describe("criBaseRuntimeSpecController()", () => {
  it("has the changes of the configuration, which containerd is told of once they are written", async () => {
    await using kit = await test();
    await kit.create(
      activeResource(
        mainDocument(
          "baseRuntimeSpecOverrides:",
          "  process:",
          "    rlimits: [{type: RLIMIT_NOFILE, hard: 1024, soft: 1024}]",
        ),
      ),
    );
    await kit.assertResource(EtcFileSpec, "cri/conf.d/base-spec.json", ({ spec }) => {
      const { process } = JSON.parse(spec.contents) as { readonly process: Readonly<Record<string, unknown>> };
      assert.equal(process["cwd"], "/");
      assert.deepEqual(process["rlimits"], [{ type: "RLIMIT_NOFILE", hard: 1024, soft: 1024 }]);
    });
    await kit.create(createResource(EtcFileStatus, "cri/conf.d/base-spec.json", { specVersion: "1" }));
    await kit.assertResource(EtcFileSpec, "cri/conf.d/cri.toml", ({ spec }) =>
      assert.match(spec.contents, /base_runtime_spec = "\/system\/etc\/cri\/conf\.d\/base-spec\.json"/),
    );
  });
  it("leaves containerd its own way while nothing is changed", async () => {
    await using kit = await test();
    await kit.create(
      activeResource(mainDocument()),
      createResource(EtcFileStatus, "cri/conf.d/base-spec.json", { specVersion: "1" }),
    );
    await kit.assertResource(EtcFileSpec, "cri/conf.d/base-spec.json");
    await kit.settled();
    await kit.assertResource(EtcFileSpec, "cri/conf.d/cri.toml", ({ spec }) =>
      assert.doesNotMatch(spec.contents, /base_runtime_spec/),
    );
  });
});
