import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import {
  BlockDevice,
  DiscoveredVolume,
  DiscoveryRefreshRequest,
  DiscoveryRefreshStatus,
} from "@talos-ts/machinery/resources/block";
import { discoveryController } from "./discovery.ts";
import { parseExport } from "./internal/probe.ts";
import { blockFiles } from "./testing/block-files.ts";

const device = (parent: string, generation = 1) =>
  BlockDevice.spec({ type: parent === "" ? "disk" : "partition", parent, generation });

describe("discoveryController()", () => {
  it("probes a device once, and again when it changed or somebody asks", async () => {
    const probed: string[] = [];
    const probe = async (path: string) => {
      probed.push(path);
      return path === "/dev/vda1"
        ? { TYPE: "xfs", PART_ENTRY_NAME: "STATE", PART_ENTRY_NUMBER: "1" }
        : { PTTYPE: "gpt" };
    };
    await using kit = controllerTest({ register: [discoveryController({ linux: blockFiles() }, probe)] });
    await kit.create(createResource(BlockDevice, "vda", device("")));
    await kit.create(createResource(BlockDevice, "vda1", device("vda")));
    await kit.create(createResource(BlockDevice, "loop0", device("")));
    await kit.assertResource(DiscoveredVolume, "vda1", ({ spec }) =>
      assert.deepEqual(
        [spec.name, spec.partitionLabel, spec.partitionIndex, spec.offset, spec.parentDevPath],
        ["xfs", "STATE", 1, 1_048_576, "/dev/vda"],
      ),
    );
    await kit.settled();
    // An unused loop device has no size, and nothing in it.
    assert.deepEqual(probed.splice(0).toSorted(), ["/dev/vda", "/dev/vda1"]);
    await kit.update(BlockDevice, "vda", () => device("", 2));
    await kit.settled();
    assert.deepEqual(probed.splice(0), ["/dev/vda"]);
    await kit.create(createResource(DiscoveryRefreshRequest, "refresh", DiscoveryRefreshRequest.spec({ request: 1 })));
    await kit.assertResource(DiscoveryRefreshStatus, "refresh", ({ spec }) => assert.equal(spec.request, 1));
    assert.deepEqual(probed.toSorted(), ["/dev/vda", "/dev/vda1"]);
  });
  it("answers only when every device of the kernel is published", async () => {
    await using kit = controllerTest({ register: [discoveryController({ linux: blockFiles() }, async () => ({}))] });
    await kit.create(createResource(BlockDevice, "vda", device("")));
    await kit.create(createResource(DiscoveryRefreshRequest, "refresh", DiscoveryRefreshRequest.spec({ request: 1 })));
    await kit.assertResource(DiscoveredVolume, "vda");
    await kit.settled();
    await kit.assertNoResource(DiscoveryRefreshStatus, "refresh");
    await kit.create(createResource(BlockDevice, "vda1", device("vda")));
    await kit.create(createResource(BlockDevice, "loop0", device("")));
    await kit.assertResource(DiscoveryRefreshStatus, "refresh", ({ spec }) => assert.equal(spec.request, 1));
  });
});

describe("parseExport()", () => {
  it("takes the backslashes off", () => {
    assert.deepEqual(parseExport("DEVNAME=/dev/vda1\nLABEL=my\\ disk\nTYPE=xfs\n"), {
      DEVNAME: "/dev/vda1",
      LABEL: "my disk",
      TYPE: "xfs",
    });
  });
});
