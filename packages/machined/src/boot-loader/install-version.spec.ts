import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { bootArchitecture, readAssets, type BootAssets } from "./boot-assets.ts";
import { chooseEntry, efiPaths, keepEntry, readEntries } from "./boot-entries.ts";
import { installVersion } from "./install-version.ts";

type Assets = Pick<BootAssets, "manifest" | "path">;

/** Puts boot assets of a version into a folder. */
async function assetsOf(folder: string, version: string, loader = "loader"): Promise<Assets> {
  const place = join(folder, `assets-${version}-${loader}`);
  await mkdir(place);
  const file = async (path: string, text: string) => {
    await writeFile(join(place, path), text);
    return { path, size: text.length, sha256: createHash("sha256").update(text).digest("hex") };
  };
  const files = { loader: await file("systemd-boot.efi", loader), uki: await file("vmlinuz.efi", `kernel ${version}`) };
  await writeFile(join(place, "manifest"), JSON.stringify({ version, architecture: bootArchitecture(), files }));
  return await readAssets(place, "manifest", "a test");
}

const tell = (): void => undefined;

describe("installVersion()", () => {
  it("makes an empty partition bootable, without a trial: there is nothing to go back to", async () => {
    await using folder = await temporaryDirectory();
    const partition = join(folder.path, "efi");
    await installVersion({ partition, assets: await assetsOf(folder.path, "v1.13.9"), tell });
    assert.equal(await readFile(join(partition, efiPaths.loader), "utf8"), "loader");
    assert.match(await readFile(join(partition, efiPaths.settings), "utf8"), /^timeout 0$/m);
    const entries = join(partition, efiPaths.entries);
    assert.deepEqual(await readdir(entries), ["talos-v1.13.9.conf"]);
    const text = "title Talos (v1.13.9)\nsort-key talos\nversion 1\nlinux /EFI/talos/talos-v1.13.9.efi\n";
    assert.equal(await readFile(join(entries, "talos-v1.13.9.conf"), "utf8"), text);
    assert.equal(await readFile(join(partition, "EFI/talos/talos-v1.13.9.efi"), "utf8"), "kernel v1.13.9");
  });

  it("puts a new version on trial, keeps the one that runs, and removes the others", async () => {
    await using folder = await temporaryDirectory();
    const partition = join(folder.path, "efi");
    const install = async (version: string, running?: string) =>
      installVersion({
        partition,
        assets: await assetsOf(folder.path, version),
        tell,
        ...(running !== undefined && { running }),
      });
    await install("v1.13.8");
    await install("v1.13.9", "talos-v1.13.8");
    const entries = join(partition, efiPaths.entries);
    assert.deepEqual((await readdir(entries)).toSorted(), ["talos-v1.13.8.conf", "talos-v1.13.9+3.conf"]);
    // The boot loader counts.
    await rename(join(entries, "talos-v1.13.9+3.conf"), join(entries, "talos-v1.13.9+2-1.conf"));
    await install("v1.13.7", "talos-v1.13.9");
    assert.deepEqual((await readdir(entries)).toSorted(), ["talos-v1.13.7+3.conf", "talos-v1.13.9+2-1.conf"]);
    assert.deepEqual((await readdir(join(partition, efiPaths.kernels))).toSorted(), [
      "talos-v1.13.7.efi",
      "talos-v1.13.9.efi",
    ]);
    // What was installed last is started first, although its version is lower.
    assert.equal((await readEntries(partition))[0]?.version, "v1.13.7");
  });

  it("installs the version that runs under another name", async () => {
    await using folder = await temporaryDirectory();
    const partition = join(folder.path, "efi");
    await installVersion({ partition, assets: await assetsOf(folder.path, "v1.13.9"), tell });
    const again = await assetsOf(folder.path, "v1.13.9", "newer loader");
    const entry = await installVersion({ partition, assets: again, running: "talos-v1.13.9", tell });
    assert.equal(entry.id, "talos-v1.13.9~1");
    assert.equal(await readFile(join(partition, efiPaths.loader), "utf8"), "newer loader");
    assert.equal((await readEntries(partition)).length, 2);
  });

  it("leaves everything as it is when an asset is not what the manifest says", async () => {
    await using folder = await temporaryDirectory();
    const partition = join(folder.path, "efi");
    await installVersion({ partition, assets: await assetsOf(folder.path, "v1.13.8"), tell });
    const assets = await assetsOf(folder.path, "v1.13.9");
    await writeFile(assets.path("uki"), "something else");
    await assert.rejects(installVersion({ partition, assets, tell }), { code: "boot/damaged-asset" });
    assert.deepEqual(await readdir(join(partition, efiPaths.kernels)), ["talos-v1.13.8.efi"]);
    assert.deepEqual(await readdir(join(partition, efiPaths.entries)), ["talos-v1.13.8.conf"]);
  });

  it("removes what an interrupted installation left", async () => {
    await using folder = await temporaryDirectory();
    const partition = join(folder.path, "efi");
    await installVersion({ partition, assets: await assetsOf(folder.path, "v1.13.8"), tell });
    await writeFile(join(partition, efiPaths.kernels, "talos-v1.13.5.efi.tmp"), "half");
    await installVersion({ partition, assets: await assetsOf(folder.path, "v1.13.9"), tell });
    const kernels = (await readdir(join(partition, efiPaths.kernels))).toSorted();
    assert.deepEqual(kernels, ["talos-v1.13.8.efi", "talos-v1.13.9.efi"]);
  });
});

describe("readEntries()", () => {
  it("puts an entry last that was started in vain", async () => {
    await using folder = await temporaryDirectory();
    const partition = join(folder.path, "efi");
    for (const version of ["v1.13.8", "v1.13.9"])
      await installVersion({ partition, assets: await assetsOf(folder.path, version), tell });
    const entries = join(partition, efiPaths.entries);
    await rename(join(entries, "talos-v1.13.9+3.conf"), join(entries, "talos-v1.13.9+0-3.conf"));
    assert.deepEqual(
      (await readEntries(partition)).map(({ version }) => version),
      ["v1.13.8", "v1.13.9"],
    );
  });

  it("is empty where nothing is installed, and passes over files of others", async () => {
    await using folder = await temporaryDirectory();
    assert.deepEqual(await readEntries(folder.path), []);
    await mkdir(join(folder.path, efiPaths.entries), { recursive: true });
    await writeFile(join(folder.path, efiPaths.entries, "windows.conf"), "title Windows\nefi /EFI/x.efi\n");
    assert.deepEqual(await readEntries(folder.path), []);
  });
});

describe("chooseEntry() and keepEntry()", () => {
  it("change which one is started next, and end a trial", async () => {
    await using folder = await temporaryDirectory();
    const partition = join(folder.path, "efi");
    for (const version of ["v1.13.8", "v1.13.9"])
      await installVersion({ partition, assets: await assetsOf(folder.path, version), tell });
    const [newer, older] = await readEntries(partition);
    assert.ok(newer !== undefined && older !== undefined);
    await keepEntry(partition, newer);
    assert.ok((await readdir(join(partition, efiPaths.entries))).includes("talos-v1.13.9.conf"));
    await chooseEntry(partition, older);
    assert.deepEqual(
      (await readEntries(partition)).map(({ version, generation }) => [version, generation]),
      [
        ["v1.13.8", 3],
        ["v1.13.9", 2],
      ],
    );
  });
});

describe("readAssets()", () => {
  it("says what is wrong with a source that is no installer", async () => {
    await using folder = await temporaryDirectory();
    await assert.rejects(readAssets(folder.path, "manifest.json", 'image "x"'), {
      code: "boot/no-assets",
      message: 'Cannot install from image "x": it has no boot assets of this system',
    });
    const files = { path: "a", size: 1, sha256: "0".repeat(64) };
    const manifest = { version: "v1.13.9", architecture: "s390x", files: { loader: files, uki: files } };
    await writeFile(join(folder.path, "manifest.json"), JSON.stringify(manifest));
    await assert.rejects(readAssets(folder.path, "manifest.json", 'image "x"'), { code: "boot/other-architecture" });
  });
});
