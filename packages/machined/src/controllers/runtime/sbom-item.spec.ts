import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { SBOMItem } from "@talos-ts/machinery/resources/runtime";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { sbomItemController } from "./sbom-item.ts";

const purl = (referenceLocator: string): unknown => ({ referenceType: "purl", referenceLocator });

async function put(root: string, path: string, packages: readonly unknown[]): Promise<void> {
  await mkdir(join(root, path, ".."), { recursive: true });
  await writeFile(join(root, path), JSON.stringify({ spdxVersion: "SPDX-2.3", packages }));
}

describe("sbomItemController()", () => {
  it("publishes the packages of the image and of extensions", async () => {
    await using folder = await temporaryDirectory();
    await put(folder.path, "usr/share/spdx/talos.spdx.json", [
      {
        name: "runc",
        versionInfo: "1.1.15",
        licenseDeclared: "Apache-2.0",
        externalRefs: [purl("pkg:deb/debian/runc")],
      },
      { name: "golang.org/x/sys", versionInfo: "v0.1.0", licenseDeclared: "NOASSERTION" },
      { name: "golang.org/x/sys", versionInfo: "v0.2.0" },
    ]);
    await put(folder.path, "usr/local/share/spdx/gvisor.spdx.json", [{ name: "gvisor", versionInfo: "2" }]);
    await using kit = controllerTest({ register: [sbomItemController({ root: folder.path })] });
    const rest = { license: "", cpes: [], purls: [], extension: false };
    await kit.assertSpec(SBOMItem, "runc", {
      ...rest,
      name: "runc",
      version: "1.1.15",
      license: "Apache-2.0",
      purls: ["pkg:deb/debian/runc"],
    });
    await kit.assertSpec(SBOMItem, "golang.org/x/sys", { ...rest, name: "golang.org/x/sys", version: "v0.1.0" });
    await kit.assertSpec(SBOMItem, "golang.org/x/sys@v0.2.0", { ...rest, name: "golang.org/x/sys", version: "v0.2.0" });
    await kit.assertSpec(SBOMItem, "gvisor", { ...rest, name: "gvisor", version: "2", extension: true });
  });
});
