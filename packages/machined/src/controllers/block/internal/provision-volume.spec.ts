import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import {
  DiscoveredVolume,
  DiscoveryRefreshRequest,
  DiscoveryRefreshStatus,
  Disk,
  SystemDisk,
  VolumeConfig,
  VolumeStatus,
  type DiskSpec,
} from "@talos-ts/machinery/resources/block";
import { compileCel } from "@talos-ts/machinery/resources/cel";
import { DevicesStatus } from "@talos-ts/machinery/resources/runtime";
import { createLogger } from "../../../logs/logger.ts";
import { testMachine } from "../../internal/testing.ts";
import { volumeManagerController } from "../volume-manager.ts";
import type { FormatRequest } from "./make-file-system.ts";
import { partitionBytes, type Provisioner } from "./provision-volume.ts";

const mib = 1024 ** 2;
const sizes = { minSize: 100 * mib, maxSize: 0, relativeMaxSize: 0, negativeMaxSize: false };
const partitionSpec = { ...sizes, grow: false, label: "u-data", typeUUID: "t" };

describe("partitionBytes()", () => {
  for (const [what, rest, expected] of [
    ["all that is free", {}, 1000],
    ["the largest size", { maxSize: 300 * mib }, 300],
    ["all that is free where the largest size is more", { maxSize: 3000 * mib }, 1000],
    ["a share", { relativeMaxSize: 25 }, 250],
    ["all but what is to be left", { maxSize: 300 * mib, negativeMaxSize: true }, 700],
    ["all but a share", { relativeMaxSize: 25, negativeMaxSize: true }, 750],
    ["nothing where less is free than the smallest size", { minSize: 1001 * mib }, 0],
    ["nothing where less would be left than the smallest size", { maxSize: 950 * mib, negativeMaxSize: true }, 0],
  ] as const) {
    it(`gives ${what}`, () => assert.equal(partitionBytes({ ...partitionSpec, ...rest }, 1000 * mib), expected * mib));
  }
});

/** Disks with what is free on each of them; a partition is discovered as soon as it is made. */
function setUp(free: Readonly<Record<string, number>>) {
  const made: string[] = [];
  const formatted: FormatRequest[] = [];
  const provisioner: Provisioner = {
    largestFreeBytes: async (disk) => free[disk] ?? assert.fail(disk),
    async create(disk, empty, { label }) {
      made.push(`${disk} ${String(empty)} ${label}`);
      return true;
    },
  };
  const machine = { ...testMachine({ platform: { mode: "metal" } }), logger: createLogger([]) };
  const format = async (request: FormatRequest) => void formatted.push(request);
  const kit = controllerTest({ register: [volumeManagerController(machine, { format, provisioner })] });
  return {
    kit,
    made,
    formatted,
    /** All devices are there and looked at, and the system has its volumes. */
    async settle({ looked = true } = {}) {
      const refresh = createResource(DiscoveryRefreshStatus, "refresh", DiscoveryRefreshStatus.spec({ request: 1 }));
      await kit.create(
        createResource(DevicesStatus, DevicesStatus.id, DevicesStatus.spec({ ready: true })),
        ...(looked ? [refresh] : []),
        createResource(VolumeConfig, "STATE", VolumeConfig.spec({ type: "directory" }), {
          labels: { "talos.dev/system-volume": "" },
        }),
      );
    },
    async disk(id: string, content: string, rest: Partial<DiskSpec> = {}) {
      const disk = Disk.spec({ devPath: `/dev/${id}`, sectorSize: 512, transport: "virtio", ...rest });
      const found = DiscoveredVolume.spec({ type: "disk", devPath: `/dev/${id}`, name: content, size: 1000 });
      await kit.create(createResource(Disk, id, disk), createResource(DiscoveredVolume, id, found));
    },
    phase: (id: string, wanted: string, message = "") =>
      kit.assertResource(VolumeStatus, id, ({ spec }) => {
        assert.deepEqual([spec.phase, spec.errorMessage], [wanted, message]);
      }),
  };
}

const partition = (match: string, rest: Partial<typeof partitionSpec> = {}) =>
  createResource(
    VolumeConfig,
    "u-data",
    VolumeConfig.spec({
      type: "partition",
      provisioning: {
        wave: 1,
        diskSelector: { match: compileCel(match), external: "" },
        partitionSpec: { ...partitionSpec, ...rest },
        filesystemSpec: { type: "ext4", label: "" },
      },
    }),
  );

describe("provisionPartition()", () => {
  it("makes a partition on the first disk with room, formats it, and has it ready", async () => {
    const at = setUp({ vda: 0, vdb: 50 * mib, vdc: 500 * mib });
    await using kit = at.kit;
    await at.disk("vda", "gpt");
    await at.disk("vdb", "gpt");
    await at.disk("vdc", "");
    await at.disk("vdd", "xfs");
    await kit.create(
      createResource(SystemDisk, SystemDisk.id, SystemDisk.spec({ diskID: "vda", devPath: "/dev/vda" })),
    );
    await kit.create(partition('disk.transport == "virtio" && !system_disk'));
    await at.phase("u-data", "waiting");
    await at.settle();
    await kit.assertResource(DiscoveryRefreshRequest, "refresh", ({ spec }) => assert.equal(spec.request, 2));
    assert.deepEqual(at.made, ["vdc true u-data"]);
    await at.phase("u-data", "waiting");
    const found = { type: "partition", devPath: "/dev/vdc1", partitionLabel: "u-data", size: 500 } as const;
    await kit.create(createResource(DiscoveredVolume, "vdc1", DiscoveredVolume.spec(found)));
    await kit.update(DiscoveryRefreshStatus, "refresh", () => DiscoveryRefreshStatus.spec({ request: 2 }));
    await at.phase("u-data", "provisioned");
    assert.deepEqual(at.formatted, [{ device: "/dev/vdc1", filesystem: "ext4", label: "", sizeBytes: 500 }]);
    await kit.update(DiscoveredVolume, "vdc1", () => DiscoveredVolume.spec({ ...found, name: "ext4" }));
    await at.phase("u-data", "ready");
    assert.deepEqual([at.made.length, at.formatted.length], [1, 1]);
  });
  it("makes volumes of a bounded size before those that take all they can get", async () => {
    const at = setUp({ vdb: 500 * mib });
    await using kit = at.kit;
    await at.disk("vdb", "gpt");
    const all = partition("true", { label: "r-all" });
    const { spec } = partition("true", { label: "u-some", maxSize: 300 * mib });
    await kit.create(createResource(VolumeConfig, "r-all", all.spec), createResource(VolumeConfig, "u-some", spec));
    await at.settle({ looked: false });
    await kit.assertResource(DiscoveryRefreshRequest, "refresh");
    await kit.create(createResource(DiscoveryRefreshStatus, "refresh", DiscoveryRefreshStatus.spec({ request: 1 })));
    await kit.assertResource(DiscoveryRefreshRequest, "refresh", ({ spec: { request } }) => assert.equal(request, 2));
    assert.deepEqual(at.made, ["vdb false u-some"]);
  });
  it("says in the words of Talos why no disk will do, and tries again when there is another", async () => {
    const at = setUp({ vdb: 50 * mib, vde: 500 * mib });
    await using kit = at.kit;
    await at.disk("vdb", "gpt");
    await at.disk("vdc", "ext4");
    await at.disk("vdd", "", { sectorSize: 4096 });
    await at.disk("vdr", "", { readonly: true });
    await at.settle();
    await kit.create(partition("!system_disk"));
    const numbers = "1 have not enough space, 1 have wrong format, 1 have other issues";
    await at.phase("u-data", "failed", `no disks matched for volume (3 matched selector): ${numbers}`);
    await at.disk("vde", "gpt");
    await kit.assertResource(DiscoveryRefreshRequest, "refresh", ({ spec }) => assert.equal(spec.request, 2));
    assert.deepEqual(at.made, ["vde false u-data"]);
  });
  it("says when the selector chooses nothing", async () => {
    const at = setUp({});
    await using kit = at.kit;
    await at.settle();
    await kit.create(partition("false"));
    await at.phase("u-data", "failed", "no disks matched selector for volume");
  });
  it("waits for the volumes of the system", async () => {
    const at = setUp({ vdb: 500 * mib });
    await using kit = at.kit;
    await at.disk("vdb", "");
    const provisioning = { partitionSpec: { label: "EPHEMERAL" }, filesystemSpec: { type: "xfs" } } as const;
    const labels = { "talos.dev/system-volume": "" };
    const spec = VolumeConfig.spec({ type: "partition", provisioning });
    await kit.create(createResource(VolumeConfig, "EPHEMERAL", spec, { labels }));
    await at.settle();
    await kit.create(partition("true"));
    await kit.settled();
    await at.phase("u-data", "waiting");
    assert.deepEqual(at.made, []);
  });
});

describe("openDisk()", () => {
  const whole = (match: string) =>
    createResource(
      VolumeConfig,
      "u-data",
      VolumeConfig.spec({
        type: "disk",
        locator: { ...VolumeConfig.spec().locator, diskMatch: compileCel(match) },
        provisioning: { ...VolumeConfig.spec().provisioning, filesystemSpec: { type: "xfs", label: "" } },
      }),
    );
  it("formats the only disk that is chosen, and refuses to choose between two", async () => {
    const at = setUp({});
    await using kit = at.kit;
    await at.disk("vdb", "");
    await at.disk("vdc", "");
    await at.settle();
    const both = whole("true");
    await kit.create(both);
    await at.phase(
      "u-data",
      "failed",
      "multiple disks matched locator for disk volume; matched disks: [/dev/vdb /dev/vdc]",
    );
    await kit.update(VolumeConfig, "u-data", () => whole('disk.dev_path == "/dev/vdc"').spec);
    await at.phase("u-data", "provisioned");
    assert.deepEqual(
      at.formatted.map(({ device, filesystem }) => [device, filesystem]),
      [["/dev/vdc", "xfs"]],
    );
  });
});

describe("openExisting()", () => {
  const existing = (match: string) =>
    createResource(
      VolumeConfig,
      "e-old",
      VolumeConfig.spec({
        type: "partition",
        locator: { ...VolumeConfig.spec().locator, match: compileCel(match) },
        mount: { ...VolumeConfig.spec().mount, targetPath: "old" },
      }),
    );
  it("finds a volume by its expression, and makes nothing of one that is empty or not there", async () => {
    const at = setUp({});
    await using kit = at.kit;
    await at.disk("vdb", "gpt", { serial: "abc" });
    await at.settle();
    await kit.create(existing('volume.partition_label == "OLD" && disk.serial == "abc"'));
    await at.phase("e-old", "missing");
    const found = { type: "partition", parent: "vdb", devPath: "/dev/vdb1", partitionLabel: "OLD" } as const;
    await kit.create(createResource(DiscoveredVolume, "vdb1", DiscoveredVolume.spec(found)));
    await at.phase("e-old", "failed", "filesystem not found on /dev/vdb1");
    await kit.update(DiscoveredVolume, "vdb1", () => DiscoveredVolume.spec({ ...found, name: "crypto_LUKS" }));
    await at.phase("e-old", "failed", "cannot mount crypto_LUKS of /dev/vdb1");
    await kit.update(DiscoveredVolume, "vdb1", () => DiscoveredVolume.spec({ ...found, name: "ext4" }));
    await kit.assertResource(VolumeStatus, "e-old", ({ spec }) =>
      assert.deepEqual([spec.phase, spec.filesystem, spec.mountLocation], ["ready", "ext4", "/dev/vdb1"]),
    );
    assert.deepEqual([at.made, at.formatted], [[], []]);
  });
});
