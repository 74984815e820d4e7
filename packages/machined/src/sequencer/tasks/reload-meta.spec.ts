import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { VolumeStatus } from "@talos-ts/machinery/resources/block";
import { MetaKey, MetaLoad } from "@talos-ts/machinery/resources/runtime";
import { encodeMetaCopy } from "../../meta/meta-codec.ts";
import { createMetaStore } from "../../meta/create-meta-store.ts";
import type { TaskContext } from "../../sequence.ts";
import { reloadMeta } from "./reload-meta.ts";

const context = { signal: new AbortController().signal } as TaskContext;

describe("reloadMeta()", () => {
  it("says that META is loaded where there is none, and reads it once there is", async () => {
    await using folder = await temporaryDirectory();
    await using kit = controllerTest({ register: [] });
    const path = join(folder.path, "meta");
    await writeFile(path, encodeMetaCopy(new Map([[0x0c, Buffer.from("x")]])));
    await kit.create(createResource(VolumeStatus, "META", VolumeStatus.spec({ phase: "missing" })));
    const task = reloadMeta({ state: kit.state, meta: createMetaStore(kit.state) });
    await task(context);
    await kit.assertResource(MetaLoad, "meta-loaded", ({ spec }) => assert.equal(spec.done, true));
    await kit.assertNoResource(MetaKey, "0x0c");
    await kit.update(VolumeStatus, "META", () => VolumeStatus.spec({ phase: "ready", mountLocation: path }));
    await task(context);
    await kit.assertSpec(MetaKey, "0x0c", { value: "x" });
  });
});
