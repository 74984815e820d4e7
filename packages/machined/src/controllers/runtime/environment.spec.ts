import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Environment } from "@talos-ts/machinery/resources/runtime";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { environmentController } from "./environment.ts";

const environment = (...lines: readonly string[]): string =>
  `---\napiVersion: v1alpha1\nkind: EnvironmentConfig\nvariables:\n${lines.map((line) => `  ${line}\n`).join("")}`;

describe("runtime.EnvironmentController", () => {
  it("sets and publishes the variables of the configuration, and takes them back", async () => {
    const variables: Record<string, string | undefined> = { PATH: "/bin", no_proxy: "a", USERDATA: "secrets" };
    await using test = controllerTest({ register: [environmentController(variables)] });
    await test.assertSpec(Environment, "machined", { variables: ["PATH=/bin", "no_proxy=a"] });

    const main = mainDocument("env: {FROM_MAIN: x}");
    await test.create(activeResource(main, environment("no_proxy: b", "https_proxy: http://p:3128/").slice(4)));
    await test.assertSpec(Environment, "machined", {
      variables: ["FROM_MAIN=x", "PATH=/bin", "https_proxy=http://p:3128/", "no_proxy=b"],
    });
    assert.equal(variables["https_proxy"], "http://p:3128/");

    await test.update(MachineConfig, MachineConfig.ids.active, () => mainDocument());
    await test.assertSpec(Environment, "machined", { variables: ["PATH=/bin", "no_proxy=a"] });
    assert.deepEqual(variables, { PATH: "/bin", no_proxy: "a", USERDATA: "secrets" });
  });
});
