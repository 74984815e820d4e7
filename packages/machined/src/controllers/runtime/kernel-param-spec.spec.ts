import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { createMemoryLinux } from "@talos-ts/linux/memory";
import { KernelParamDefaultSpec, KernelParamSpec, KernelParamStatus } from "@talos-ts/machinery/resources/runtime";
import { kernelParamSpecController } from "./kernel-param-spec.ts";

const path = "/proc/sys/vm/swappiness";
const id = "proc.sys.vm.swappiness";

describe("kernelParamSpecController()", () => {
  it("writes the wanted value and restores the old one", async () => {
    const linux = createMemoryLinux();
    linux.textFiles.tree.set(path, "60\n");
    await using test = controllerTest({ register: [kernelParamSpecController({ linux })] });
    const spec = createResource(KernelParamSpec, id, KernelParamSpec.spec({ value: "10" }));
    await test.create(spec);
    await test.assertSpec(KernelParamStatus, id, { current: "10", default: "60", unsupported: false });
    assert.equal(linux.textFiles.tree.get(path), "10");
    await test.remove(spec);
    await test.assertNoResource(KernelParamStatus, id);
    await test.settled();
    assert.equal(linux.textFiles.tree.get(path), "60");
  });
  it("marks a default that the kernel does not have as unsupported", async () => {
    await using test = controllerTest({ register: [kernelParamSpecController({ linux: createMemoryLinux() })] });
    const spec = KernelParamDefaultSpec.spec({ value: "1", ignoreErrors: true });
    await test.create(createResource(KernelParamDefaultSpec, "proc.sys.no.such", spec));
    await test.assertResource(KernelParamStatus, "proc.sys.no.such", (status) =>
      assert.equal(status.spec.unsupported, true),
    );
  });
});
