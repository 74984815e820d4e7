import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { DiscoveredVolume } from "@talos-ts/machinery/resources/block";
import { bootArchitecture } from "./boot-assets.ts";
import { openMediumAssets } from "./medium-assets.ts";

test("openMediumAssets() mounts the medium, reads its manifest, and leaves it", async () => {
  await using kit = controllerTest({ register: [] });
  await using folder = await temporaryDirectory();
  const done: string[] = [];
  const machine = {
    state: kit.state,
    root: folder.path,
    mounts: {
      mount: async ({ source }: { readonly source: string }) => void done.push(`mount ${source}`),
      unmount: async () => void done.push("unmount"),
    },
  };
  assert.equal(await openMediumAssets(machine), undefined);
  const spec = DiscoveredVolume.spec({ devPath: "/dev/vdb", type: "disk", name: "vfat", label: "TALOS-BOOT" });
  await kit.create(createResource(DiscoveredVolume, "vdb", spec));
  await assert.rejects(openMediumAssets(machine), { code: "boot/no-assets", message: /the boot medium at \/dev\/vdb/ });
  assert.deepEqual(done.splice(0), ["mount /dev/vdb", "unmount"]);

  const asset = { size: 1, sha256: "0".repeat(64) };
  const files = { loader: { ...asset, path: "INSTALL/LOADER.EFI" }, uki: { ...asset, path: "EFI/BOOT/BOOTX64.EFI" } };
  await mkdir(join(folder.path, "run/boot-medium/INSTALL"), { recursive: true });
  const manifest = { version: "v1.13.9", architecture: bootArchitecture(), files };
  await writeFile(join(folder.path, "run/boot-medium/INSTALL/MANIFEST"), JSON.stringify(manifest));
  {
    await using assets = await openMediumAssets(machine);
    assert.equal(assets?.manifest.version, "v1.13.9");
    assert.equal(assets.path("uki"), join(folder.path, "run/boot-medium/EFI/BOOT/BOOTX64.EFI"));
    assert.deepEqual(done, ["mount /dev/vdb"]);
  }
  assert.deepEqual(done, ["mount /dev/vdb", "unmount"]);
});
