import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { OsError } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { DiscoveredVolume, SystemDisk } from "@talos-ts/machinery/resources/block";
import { bootArchitecture, readAssets, type BootAssets } from "./boot-assets.ts";
import { efiPaths } from "./boot-entries.ts";
import { createDiskBootLoader } from "./disk-boot-loader.ts";

const systemDisk = createResource(SystemDisk, SystemDisk.id, SystemDisk.spec({ diskID: "vda", devPath: "/dev/vda" }));
const efi = (name: string, parent = "vda") =>
  createResource(
    DiscoveredVolume,
    `${parent}1`,
    DiscoveredVolume.spec({
      devPath: `/dev/${parent}1`,
      parentDevPath: `/dev/${parent}`,
      partitionLabel: "EFI",
      type: "partition",
      name,
    }),
  );

async function assetsOf(folder: string, version: string): Promise<BootAssets> {
  const file = async (path: string) => {
    await writeFile(join(folder, path), path);
    return { path, size: path.length, sha256: createHash("sha256").update(path).digest("hex") };
  };
  const files = { loader: await file("loader"), uki: await file("uki") };
  await writeFile(join(folder, "manifest"), JSON.stringify({ version, architecture: bootArchitecture(), files }));
  return { ...(await readAssets(folder, "manifest", "a test")), [Symbol.asyncDispose]: async () => undefined };
}

/** A boot loader whose partition is a folder; what is mounted and formatted is recorded. */
async function setUp(booted?: string) {
  const kit = controllerTest({ register: [] });
  const folder = await temporaryDirectory();
  const done: string[] = [];
  const root = folder.path;
  const loader = createDiskBootLoader({
    state: kit.state,
    root,
    format: async (device) => void done.push(`format ${device}`),
    mounts: {
      mount: async ({ source, target, type }) => void done.push(`mount ${type} ${source} ${target.slice(root.length)}`),
      unmount: async (target) => void done.push(`unmount ${target.slice(root.length)}`),
    },
  });
  const boot = async (id: string): Promise<void> => {
    const variables = join(root, "sys/firmware/efi/efivars");
    await mkdir(variables, { recursive: true });
    const value = Buffer.concat([Buffer.alloc(4), Buffer.from(`${id}.conf\0`, "utf16le")]);
    await writeFile(join(variables, "LoaderEntrySelected-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"), value);
  };
  if (booted !== undefined) await boot(booted);
  const tell = (): void => undefined;
  const install = async (version: string, newPartition?: string) =>
    await loader.install(await assetsOf(root, version), { tell, ...(newPartition !== undefined && { newPartition }) });
  return {
    loader,
    done,
    install,
    boot,
    create: kit.create.bind(kit),
    entries: join(root, "run/efi", efiPaths.entries),
    async [Symbol.asyncDispose]() {
      await kit[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const mounted = ["mount vfat /dev/vda1 /run/efi", "unmount /run/efi"];

describe("createDiskBootLoader()", () => {
  it("mounts the EFI partition of the system disk only while it works on it", async () => {
    await using machine = await setUp();
    await machine.create(systemDisk, efi("vfat"), efi("vfat", "vdb"));
    await machine.install("v1.13.9");
    assert.deepEqual(machine.done, mounted);
    assert.deepEqual(await readdir(machine.entries), ["talos-v1.13.9.conf"]);
    assert.deepEqual(
      (await machine.loader.entries())?.map(({ id }) => id),
      ["talos-v1.13.9"],
    );
  });

  it("makes a file system on a partition that has none", async () => {
    await using machine = await setUp();
    await machine.create(systemDisk, efi(""));
    assert.deepEqual(await machine.loader.entries(), []);
    await machine.install("v1.13.9");
    assert.deepEqual(machine.done, ["format /dev/vda1", ...mounted]);
  });

  it("takes a partition that was made a moment ago, and is not published yet", async () => {
    await using machine = await setUp();
    await machine.install("v1.13.9", "/dev/nvme0n1p1");
    assert.deepEqual(machine.done.slice(0, 2), ["format /dev/nvme0n1p1", "mount vfat /dev/nvme0n1p1 /run/efi"]);
  });

  it("refuses a disk without an EFI partition, and two at a time", async () => {
    await using machine = await setUp();
    await machine.create(systemDisk);
    assert.equal(await machine.loader.entries(), undefined);
    await assert.rejects(machine.install("v1.13.9"), { code: "boot/no-efi-partition", kind: "failed-precondition" });
    await machine.create(efi("vfat"));
    const both = await Promise.allSettled([machine.loader.rollBack(), machine.loader.rollBack()]);
    const codes = both.map((each) => (each.status === "rejected" ? (each.reason as OsError).code : "done"));
    assert.deepEqual(codes.toSorted(), ["boot/busy", "boot/no-other-version"]);
  });

  it("rolls back to the other version, and forward again", async () => {
    await using machine = await setUp("talos-v1.13.8");
    await machine.create(systemDisk, efi("vfat"));
    await machine.install("v1.13.8");
    await assert.rejects(machine.loader.rollBack(), {
      code: "boot/no-other-version",
      message: "Cannot roll back this machine: its disk has no other version",
    });
    await machine.install("v1.13.9");
    await machine.boot("talos-v1.13.9");
    assert.equal((await machine.loader.rollBack()).version, "v1.13.8");
    assert.equal((await machine.loader.entries())?.[0]?.version, "v1.13.8");
    await machine.boot("talos-v1.13.8");
    assert.equal((await machine.loader.rollBack()).version, "v1.13.9");
    assert.equal((await machine.loader.entries())?.[0]?.version, "v1.13.9");
  });

  it("does not roll back to a version that was started in vain", async () => {
    await using machine = await setUp("talos-v1.13.8");
    await machine.create(systemDisk, efi("vfat"));
    for (const version of ["v1.13.8", "v1.13.9"]) await machine.install(version);
    await rename(join(machine.entries, "talos-v1.13.9+3.conf"), join(machine.entries, "talos-v1.13.9+0-3.conf"));
    await assert.rejects(machine.loader.rollBack(), { message: /v1\.13\.9, was started in vain$/ });
  });

  it("does not roll back a machine that it did not start", async () => {
    await using machine = await setUp();
    await machine.create(systemDisk, efi("vfat"));
    for (const version of ["v1.13.8", "v1.13.9"]) await machine.install(version);
    await assert.rejects(machine.loader.rollBack(), { message: /not started by the boot loader/ });
  });

  it("ends the trial of the version that runs, once", async () => {
    await using machine = await setUp("talos-v1.13.9");
    await machine.create(systemDisk, efi("vfat"));
    for (const version of ["v1.13.8", "v1.13.9"]) await machine.install(version);
    await rename(join(machine.entries, "talos-v1.13.9+3.conf"), join(machine.entries, "talos-v1.13.9+2-1.conf"));
    assert.equal((await machine.loader.keep())?.version, "v1.13.9");
    assert.deepEqual((await readdir(machine.entries)).toSorted(), ["talos-v1.13.8.conf", "talos-v1.13.9.conf"]);
    assert.equal(await machine.loader.keep(), undefined);
  });
});
