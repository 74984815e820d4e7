import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { KernelParamSpec, SettingProblem } from "@talos-ts/machinery/resources/runtime";
import { activeResource } from "../internal/testing.ts";
import { zswapConfigController } from "./zswap-config.ts";

const document = (fields = ""): string => `apiVersion: v1alpha1\nkind: ZswapConfig\n${fields}`;
const id = (name: string): string => `sys.module.zswap.parameters.${name}`;

describe("block.ZswapConfigController", () => {
  it("asks for the parameters of the kernel, with defaults", async () => {
    await using test = controllerTest({ register: [zswapConfigController({ platform: { mode: "metal" } })] });
    const config = activeResource(document());
    await test.create(config);
    await test.assertSpec(KernelParamSpec, id("enabled"), { value: "Y", ignoreErrors: true });
    await test.assertSpec(KernelParamSpec, id("max_pool_percent"), { value: "20", ignoreErrors: true });
    await test.assertSpec(KernelParamSpec, id("shrinker_enabled"), { value: "N", ignoreErrors: true });
    await test.update(MachineConfig, MachineConfig.ids.active, () =>
      document("maxPoolPercent: 35\nshrinkerEnabled: true\n"),
    );
    await test.assertSpec(KernelParamSpec, id("max_pool_percent"), { value: "35", ignoreErrors: true });
    await test.assertSpec(KernelParamSpec, id("shrinker_enabled"), { value: "Y", ignoreErrors: true });
    await test.remove(config);
    await test.assertNoResource(KernelParamSpec, id("enabled"));
  });

  it("leaves the cache of the host alone in a container", async () => {
    await using test = controllerTest({ register: [zswapConfigController({ platform: { mode: "container" } })] });
    await test.create(activeResource(document()));
    await test.assertResource(SettingProblem, "zswap");
    await test.assertNoResource(KernelParamSpec, id("enabled"));
  });
});
