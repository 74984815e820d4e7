import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { loadConfig } from "@talos-ts/machinery/config";
import { Disk, SystemDisk, VolumeStatus } from "@talos-ts/machinery/resources/block";
import type { ConfigStore } from "../../config-store.ts";
import type { TaskContext } from "../../sequence.ts";
import { mainDocument } from "../../controllers/internal/testing.ts";
import { install } from "./install.ts";

const config = { current: async () => loadConfig(mainDocument("install: {disk: /dev/vda}")) } as unknown as ConfigStore;
const disk = (name: string, readonly = false) =>
  createResource(
    Disk,
    name,
    Disk.spec({ devPath: `/dev/${name}`, size: 6 * 1024 ** 3, prettySize: "6.4 GB", readonly }),
  );
const context = (log: (message: string) => void = () => {}): TaskContext =>
  ({ signal: new AbortController().signal, request: {}, log }) as unknown as TaskContext;

describe("install()", () => {
  it("writes the partitions of the system, and waits until the state can be kept", async () => {
    await using kit = controllerTest({ register: [] });
    await kit.create(disk("vda"), disk("vdb"));
    const written: unknown[] = [];
    const ready = createResource(VolumeStatus, "STATE", VolumeStatus.spec({ phase: "ready" }));
    const task = install({ state: kit.state, config }, async (device, bytes, partitions) => {
      written.push([device, bytes, partitions.map(({ label }) => label)]);
      await kit.create(ready);
    });
    await task(context());
    assert.deepEqual(written, [["/dev/vda", 6 * 1024 ** 3, ["META", "STATE", "EPHEMERAL"]]]);
  });
  it("leaves a machine alone that has a system disk", async () => {
    await using kit = controllerTest({ register: [] });
    await kit.create(
      createResource(SystemDisk, SystemDisk.id, SystemDisk.spec({ diskID: "vda", devPath: "/dev/vda" })),
    );
    const lines: string[] = [];
    await install({ state: kit.state, config }, () => assert.fail("wrote to the disk"))(
      context((line) => lines.push(line)),
    );
    assert.deepEqual(lines, ["installed already on /dev/vda"]);
  });
  it("names the disks there are when the wanted one is not", async () => {
    await using kit = controllerTest({ register: [] });
    await kit.create(disk("vda", true), disk("vdb"));
    const task = install({ state: kit.state, config }, () => assert.fail("wrote to the disk"));
    await assert.rejects(task(context()), {
      code: "install/no-disk",
      message: /got "\/dev\/vda"; there are \/dev\/vdb \(6\.4 GB\)$/,
    });
  });
});
