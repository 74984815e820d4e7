import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { findAccelerator } from "./accelerator.ts";

test("findAccelerator() takes KVM only with a processor that can", async () => {
  await using folder = await temporaryDirectory();
  const [device, processors] = [join(folder.path, "kvm"), join(folder.path, "cpuinfo")];
  await writeFile(processors, "flags\t\t: fpu vmx sse2\n");
  assert.equal(await findAccelerator({ device, processors }), "tcg");
  await writeFile(device, "");
  assert.equal(await findAccelerator({ device, processors }), "kvm");
  await writeFile(processors, "flags\t\t: fpu sse2 hypervisor\n");
  assert.equal(await findAccelerator({ device, processors }), "tcg");
});
