import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { ExtensionStatus } from "@talos-ts/machinery/resources/runtime";
import { extensionStatusController } from "./extension-status.ts";

describe("extensionStatusController()", () => {
  it("publishes the extensions of the image", async () => {
    await using folder = await temporaryDirectory();
    await mkdir(join(folder.path, "etc"));
    await writeFile(
      join(folder.path, "etc/extensions.yaml"),
      "layers:\n  - image: 000.gvisor.sqsh\n    metadata:\n      name: gvisor\n      version: 20260101.0\n" +
        "      author: Sidero Labs\n      description: sandbox\n      compatibility: {talos: {version: '>= v1.0.0'}}\n",
    );
    await using kit = controllerTest({ register: [extensionStatusController({ root: folder.path })] });
    await kit.assertSpec(ExtensionStatus, "0", {
      image: "000.gvisor.sqsh",
      metadata: {
        name: "gvisor",
        version: "20260101.0",
        author: "Sidero Labs",
        description: "sandbox",
        compatibility: { talos: { version: ">= v1.0.0" } },
        extraInfo: "",
      },
    });
  });
});
