import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource, type State } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { loadConfig } from "@talos-ts/machinery/config";
import { systemVersion } from "@talos-ts/machinery/constants";
import { Disk, SystemDisk, VolumeStatus } from "@talos-ts/machinery/resources/block";
import type { BootAssets } from "../../boot-loader/boot-assets.ts";
import type { BootEntry } from "../../boot-loader/boot-entries.ts";
import type { ConfigStore } from "../../config-store.ts";
import type { TaskContext } from "../../sequence.ts";
import { mainDocument } from "../../controllers/internal/testing.ts";
import { install, type InstallDependencies } from "./install.ts";

const disk = (name: string, readonly = false) =>
  createResource(
    Disk,
    name,
    Disk.spec({ devPath: `/dev/${name}`, size: 6 * 1024 ** 3, prettySize: "6.4 GB", readonly }),
  );
const systemDisk = createResource(SystemDisk, SystemDisk.id, SystemDisk.spec({ diskID: "vda", devPath: "/dev/vda" }));
const ready = ["META", "STATE"].map((id) => createResource(VolumeStatus, id, VolumeStatus.spec({ phase: "ready" })));
const context = (log: (message: string) => void = () => {}): TaskContext =>
  ({ signal: new AbortController().signal, request: {}, log }) as unknown as TaskContext;

const assetsOf = (version: string): BootAssets => {
  const file = { path: "a", size: 1, sha256: "" };
  const manifest = { version, architecture: "amd64", files: { loader: file, uki: file } };
  return { manifest, path: () => "", [Symbol.asyncDispose]: async () => undefined };
};

/** A machine whose boot loader and power are recorded. */
function setUp(
  state: State,
  given: {
    readonly image?: string;
    readonly medium?: string;
    readonly entries?: readonly BootEntry[] | Error | undefined;
  } = {},
) {
  const done: unknown[] = [];
  const image = given.image === undefined ? "" : `, image: "${given.image}"`;
  const machine: InstallDependencies = {
    state,
    config: {
      current: async () => loadConfig(mainDocument(`install: {disk: /dev/vda${image}}`)),
    } as unknown as ConfigStore,
    bootLoader: {
      entries: async () => {
        if (given.entries instanceof Error) throw given.entries;
        return "entries" in given ? given.entries : [];
      },
      install: async (assets: BootAssets, { newPartition }: { readonly newPartition?: string }) => {
        done.push(["boot loader", assets.manifest.version, newPartition]);
      },
    } as unknown as InstallDependencies["bootLoader"],
    openImage: async (reference) => {
      done.push(["pull", reference]);
      return assetsOf("v1.13.77");
    },
    openMedium: async () => (given.medium === undefined ? undefined : assetsOf(given.medium)),
    restart: async () => void done.push("restart"),
  };
  const write = async (device: string, _bytes: number, partitions: readonly { readonly label: string }[]) => {
    done.push([device, partitions.map(({ label }) => label).join(" ")]);
    for (const volume of ready) await state.create(volume);
  };
  return { done, task: install(machine, write) };
}

const partitions = ["/dev/vda", "EFI META STATE EPHEMERAL"];

describe("install()", () => {
  it("writes partitions and the version of the medium, and waits until the state can be kept", async () => {
    await using kit = controllerTest({ register: [] });
    await kit.create(disk("vda"), disk("vdb"));
    const { done, task } = setUp(kit.state, { medium: systemVersion });
    await task(context());
    assert.deepEqual(done, [partitions, ["boot loader", systemVersion, "/dev/vda1"]]);
  });
  it("installs the image that the configuration names, and starts it", async () => {
    await using kit = controllerTest({ register: [] });
    await kit.create(disk("vda"));
    const { done, task } = setUp(kit.state, { medium: systemVersion, image: "example.org/installer:v1.13.77" });
    await task(context());
    const pulled = ["pull", "example.org/installer:v1.13.77"];
    assert.deepEqual(done, [pulled, partitions, ["boot loader", "v1.13.77", "/dev/vda1"], "restart"]);
  });
  it("pulls the default image only where no medium has its version", async () => {
    for (const [medium, pulls] of [
      [systemVersion, false],
      ["v1.13.1", true],
      [undefined, true],
    ] as const) {
      await using kit = controllerTest({ register: [] });
      await kit.create(disk("vda"));
      const image = `ghcr.io/siderolabs/installer:${systemVersion}`;
      const { done, task } = setUp(kit.state, { image, ...(medium !== undefined && { medium }) });
      await task(context());
      assert.equal(JSON.stringify(done[0]) === JSON.stringify(["pull", image]), pulls);
    }
  });
  it("writes partitions alone when there is nothing to boot from them, and says so", async () => {
    await using kit = controllerTest({ register: [] });
    await kit.create(disk("vda"));
    const { done, task } = setUp(kit.state);
    const lines: string[] = [];
    await task(context((line) => lines.push(line)));
    assert.deepEqual(done, [partitions]);
    assert.match(lines[0] ?? "", /^no boot loader is installed: /);
  });
  it("leaves a machine alone that has a system disk, with a boot loader or without a place for one", async () => {
    const entry = { id: "talos-v1.13.9", version: "v1.13.9", generation: 1, kernel: "/EFI/talos/talos-v1.13.9.efi" };
    for (const entries of [[entry], undefined]) {
      await using kit = controllerTest({ register: [] });
      await kit.create(systemDisk);
      const { done, task } = setUp(kit.state, { medium: systemVersion, entries });
      const lines: string[] = [];
      await task(context((line) => lines.push(line)));
      assert.deepEqual([lines, done], [["installed already on /dev/vda"], []]);
    }
  });
  it("goes on with an installation that was cut off before the boot loader was there", async () => {
    await using kit = controllerTest({ register: [] });
    await kit.create(systemDisk);
    const { done, task } = setUp(kit.state, { medium: systemVersion, entries: [] });
    await task(context());
    assert.deepEqual(done, [["boot loader", systemVersion, undefined]]);
  });
  it("lets a machine go on whose boot loader cannot be read", async () => {
    await using kit = controllerTest({ register: [] });
    await kit.create(systemDisk);
    const { done, task } = setUp(kit.state, { medium: systemVersion, entries: new Error("input/output error") });
    const lines: string[] = [];
    await task(context((line) => lines.push(line)));
    assert.deepEqual([lines, done], [["cannot install a boot loader on /dev/vda: input/output error"], []]);
  });
  it("names the disks there are when the wanted one is not", async () => {
    await using kit = controllerTest({ register: [] });
    await kit.create(disk("vda", true), disk("vdb"));
    const { done, task } = setUp(kit.state, { medium: systemVersion });
    await assert.rejects(task(context()), {
      code: "install/no-disk",
      message: /got "\/dev\/vda"; there are \/dev\/vdb \(6\.4 GB\)$/,
    });
    assert.deepEqual(done, []);
  });
});
