import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Nodename } from "@talos-ts/machinery/resources/k8s";
import { HostnameStatus } from "@talos-ts/machinery/resources/network";
import { activeResource, testConfig } from "../internal/testing.ts";
import { nodenameController, nodenameFrom } from "./nodename.ts";

describe("nodenameController()", () => {
  it("T-56: makes the node name from the host name", async () => {
    await using test = controllerTest({ register: [nodenameController()] });
    const hostname = HostnameStatus.spec({ hostname: "Foo_1", domainname: "Example.com" });
    await test.create(activeResource(await testConfig("worker")), createResource(HostnameStatus, "hostname", hostname));
    await test.assertSpec(Nodename, "nodename", {
      nodename: "foo-1",
      hostnameVersion: "1",
      skipNodeRegistration: false,
    });
  });
  it("refuses a host name with nothing to keep", () => {
    assert.equal(nodenameFrom("-.a_B.c.-"), "a-b.c");
    assert.throws(() => nodenameFrom("--"), { code: "k8s/bad-nodename" });
  });
});
