import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcFileStatus } from "@talos-ts/machinery/resources/files";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { udevReloadController } from "./udev-reload.ts";
import { udevRulesFile } from "./udev-rule.ts";

describe("udevReloadController()", () => {
  it("waits for udevd, then reloads at every change of the rules and announces the devices again", async () => {
    const calls: string[] = [];
    const settled: (() => void)[] = [];
    const run = async (args: readonly string[]): Promise<void> => {
      calls.push(args.slice(0, 2).join(" "));
      if (args[0] === "verify") throw new Error("line 1: unknown key");
      if (args[0] === "settle") settled.shift()?.();
    };
    await using kit = controllerTest({ register: [udevReloadController({}, run)] });
    const reloaded = () => new Promise<void>((resolve) => settled.push(resolve));
    await kit.create(createResource(EtcFileStatus, udevRulesFile, { specVersion: "1" }));
    await kit.settled();
    assert.deepEqual(calls, []);
    const first = reloaded();
    await kit.create(createResource(Service, "udevd", Service.spec({ running: true, healthy: true, unknown: false })));
    await first;
    const expected = [
      `verify /etc/${udevRulesFile}`,
      "control --reload",
      "trigger --type=subsystems",
      "trigger --type=devices",
      "settle --timeout=50",
    ];
    assert.deepEqual(calls, expected);
    const second = reloaded();
    await kit.update(EtcFileStatus, udevRulesFile, () => ({ specVersion: "2" }));
    await second;
    assert.deepEqual(calls, [...expected, ...expected]);
  });
});
