import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { EtcdMember } from "@talos-ts/machinery/resources/etcd";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { etcdMemberController } from "./member.ts";

describe("etcdMemberController()", () => {
  it("T-34: shows the member id while etcd is healthy", async () => {
    const memberId = async () => 0xabcn;
    await using test = controllerTest({ register: [etcdMemberController({ root: "" }, { memberId })] });
    const service = createResource(Service, "etcd", Service.spec({ running: true, unknown: true }));
    await test.create(service);
    await test.settled();
    await test.assertNoResource(EtcdMember, "local");
    await test.update(Service, "etcd", (spec) => ({ ...spec, healthy: true, unknown: false }));
    await test.assertSpec(EtcdMember, "local", { memberID: "0000000000000abc" });
    await test.remove(service);
    await test.assertNoResource(EtcdMember, "local");
  });
});
