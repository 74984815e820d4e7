import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { createMemoryLinux } from "@talos-ts/linux/memory";
import { HostnameSpec, HostnameStatus, type HostnameStatusSpec } from "@talos-ts/machinery/resources/network";
import { hostnameSpecController, kernelHostname } from "./hostname-spec.ts";

const spec = () =>
  createResource(
    HostnameSpec,
    HostnameSpec.id,
    HostnameSpec.spec({ hostname: "node-1", domainname: "lan", layer: "configuration" }),
  );

describe("hostnameSpecController()", () => {
  it("sets the hostname and publishes it", async () => {
    const set: HostnameStatusSpec[] = [];
    const setHostname = async (name: HostnameStatusSpec) => void set.push(name);
    await using kit = controllerTest({ register: [hostnameSpecController({ setHostname })] });
    await kit.create(spec());
    await kit.assertSpec(HostnameStatus, "hostname", { hostname: "node-1", domainname: "lan" });
    assert.deepEqual(set, [{ hostname: "node-1", domainname: "lan" }]);
  });
  it("only publishes it where the hostname belongs to somebody else", async () => {
    await using kit = controllerTest({ register: [hostnameSpecController({ setHostname: undefined })] });
    await kit.create(spec());
    await kit.assertSpec(HostnameStatus, "hostname", { hostname: "node-1", domainname: "lan" });
    assert.ok(!kit.logs.some(({ message }) => message === "setting hostname"));
  });
});

describe("kernelHostname()", () => {
  it("sets the hostname of the kernel", async () => {
    const linux = createMemoryLinux();
    await kernelHostname(linux)({ hostname: "node-2", domainname: "" });
    assert.equal(linux.system.hostname(), "node-2");
  });
});
