import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { etcLabel } from "../internal/etc-label.ts";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { udevRuleController, udevRulesFile } from "./udev-rule.ts";

const config = () =>
  activeResource(
    mainDocument("udev:", "  rules:", `    - 'SUBSYSTEM=="drm", GROUP="44"'`, `    - 'KERNEL=="sda", MODE="0660"'`),
  );

describe("udevRuleController()", () => {
  it("writes the rules of the configuration to a file, and removes it with them", async () => {
    await using kit = controllerTest({ register: [udevRuleController({ platform: { mode: "metal" } })] });
    const resource = config();
    await kit.create(resource);
    await kit.assertSpec(EtcFileSpec, udevRulesFile, {
      contents: 'SUBSYSTEM=="drm", GROUP="44"\nKERNEL=="sda", MODE="0660"\n',
      mode: 0o644,
      selinuxLabel: etcLabel,
    });
    await kit.remove(resource);
    await kit.assertNoResource(EtcFileSpec, udevRulesFile);
  });

  it("writes none in a container", async () => {
    await using kit = controllerTest({ register: [udevRuleController({ platform: { mode: "container" } })] });
    await kit.create(config());
    await kit.settled();
    await kit.assertNoResource(EtcFileSpec, udevRulesFile);
  });
});
