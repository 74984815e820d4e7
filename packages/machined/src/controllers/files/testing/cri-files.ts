import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { controllerTest, type ControllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { registriesConfigController } from "../../cri/registries-config.ts";
import { testMachine } from "../../internal/testing.ts";
import { parseToml } from "../../../toml/parse.ts";
import { criBaseRuntimeSpecController } from "../cri-base-runtime-spec.ts";
import { criConfigPartsController } from "../cri-config-parts.ts";
import { criRegistryConfigController } from "../cri-registry-config.ts";

/** The controllers that write the configuration of containerd, below a directory of their own. */
export interface CriFiles extends ControllerTest {
  /** Registries that have a folder. */
  hosts(): Promise<readonly string[]>;
  /** The settings of one of them. */
  hostsToml(name: string): Promise<unknown>;
}

export async function criFiles(): Promise<CriFiles> {
  const { path: root, ...directory } = await temporaryDirectory();
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
    hostsToml: async (name) => parseToml(await readFile(join(folder, name, "hosts.toml"), "utf8")),
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await directory[Symbol.asyncDispose]();
    },
  };
}
