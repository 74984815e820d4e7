import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { Disk, SystemDisk } from "@talos-ts/machinery/resources/block";
import { ContainerdNamespace, ContainerDriver } from "@talos-ts/proto/common/common";
import { createTestNode, type TestNode } from "../../testing.ts";
import { install } from "./install.ts";
import { upgrade } from "./upgrade.ts";

type Request = Parameters<ReturnType<typeof install>>[0];
type Context = Parameters<ReturnType<typeof install>>[1];

const context = { signal: new AbortController().signal } as Context;
const metal = ({ machine }: TestNode) => ({ ...machine, platform: { ...machine.platform, mode: "metal" } }) as const;
const containerd = { driver: ContainerDriver.CRI, namespace: ContainerdNamespace.NS_SYSTEM };
const request = (disk: string) => ({ containerd, destination: { disk } }) as unknown as Request;
const run = (node: TestNode, disk: string): Promise<unknown> =>
  Array.fromAsync(install(metal(node))(request(disk), context));

describe("install()", () => {
  it("refuses a disk that is not there, or cannot be written to", async () => {
    await using node = await createTestNode();
    await node.machine.state.create(
      createResource(Disk, "vda", Disk.spec({ devPath: "/dev/vda", size: 6 * 1024 ** 3, readonly: true })),
    );
    for (const disk of ["/dev/vda", "/dev/vdb", ""])
      await assert.rejects(run(node, disk), { code: "install/no-disk", kind: "invalid-argument" });
  });

  it("refuses a machine that is installed, and names what does more of it", async () => {
    await using node = await createTestNode();
    const spec = SystemDisk.spec({ diskID: "vda", devPath: "/dev/vda" });
    await node.machine.state.create(createResource(SystemDisk, SystemDisk.id, spec));
    await assert.rejects(run(node, "/dev/vda"), { code: "install/installed-already", next: "talosctl upgrade" });
  });

  it("wants an image, as upgrade() does", async () => {
    await using node = await createTestNode();
    await node.machine.state.create(
      createResource(Disk, "vda", Disk.spec({ devPath: "/dev/vda", size: 6 * 1024 ** 3 })),
    );
    await assert.rejects(run(node, "/dev/vda"), { code: "boot/no-image" });
    const upgrading = upgrade(metal(node))(
      request("") as unknown as Parameters<ReturnType<typeof upgrade>>[0],
      context,
    );
    await assert.rejects(Array.fromAsync(upgrading), { code: "boot/no-image" });
  });
});
