import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource, createResourceRegistry, createStateClient, pointerTo } from "@talos-ts/cosi";
import { createChannel } from "@talos-ts/grpc";
import { paths } from "@talos-ts/machinery/constants";
import { HostnameStatus } from "@talos-ts/machinery/resources/network";
import { OSRootSecret } from "@talos-ts/machinery/resources/secrets";
import { roles } from "@talos-ts/machinery/roles";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "@talos-ts/proto/grpc/health";
import { ServerReflection } from "@talos-ts/proto/grpc/reflection";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { createTestNode } from "./testing.ts";

const registry = createResourceRegistry([HostnameStatus, OSRootSecret]);
const denied = { kind: "permission-denied", message: "not authorized" };

describe("createApiServers()", () => {
  it("lets a role call what the table allows it, and nothing else", async () => {
    await using node = await createTestNode();
    const reader = node.client(MachineService, roles.reader);
    assert.equal((await reader.hostname({})).messages[0]?.hostname, "memory");
    await assert.rejects(reader.reset({}), denied);
    await assert.rejects(node.client(MachineService, roles.etcdBackup).hostname({}), denied);
  });
  it("gives a service no more than its part, whatever it claims", async () => {
    await using node = await createTestNode({ caller: "dashboard" });
    const everything = node.client(MachineService, roles.admin, roles.reader);
    await everything.hostname({});
    await assert.rejects(everything.reset({}), denied);
  });
  it("shows resources to readers, sensitive ones to administrators, and lets nobody write", async () => {
    await using node = await createTestNode();
    await using channel = createChannel({ target: `unix://${node.root}${paths.machinedSocket}` });
    const as = (role: string) => createStateClient(channel, { registry, metadata: { "talos-role": role } });
    const [admin, reader] = [as(roles.admin), as(roles.reader)];
    await reader.list(HostnameStatus);
    await admin.list(OSRootSecret);
    await assert.rejects(reader.list(OSRootSecret), denied);
    const refusal = (message: string) => ({ kind: "permission-denied", message });
    const name = createResource(HostnameStatus, "hostname", HostnameStatus.spec({ hostname: "x" }));
    await assert.rejects(admin.create(name), refusal("write access is not allowed"));
    await assert.rejects(reader.create(name), denied);
    const nowhere = { ...HostnameStatus, namespace: "nowhere" };
    await assert.rejects(reader.list(nowhere), refusal('namespace "nowhere" is not supported'));
    const strange = { ...HostnameStatus, type: "Strange.net.talos.dev" };
    await assert.rejects(reader.list(strange), refusal('resource type "Strange.net.talos.dev" is not supported'));
  });
  it("C-10: shows apid its view of the state over its own socket, and refuses the rest", async () => {
    await using node = await createTestNode();
    await using channel = createChannel({ target: `unix://${node.root}${paths.apidRuntimeSocket}` });
    const view = createStateClient(channel, { registry });
    await view.list(HostnameStatus);
    await assert.rejects(view.get(pointerTo(OSRootSecret, "os")), {
      kind: "permission-denied",
      message: "access denied",
    });
  });
  it("C-10: serves a view to nobody but its daemon", async () => {
    await using node = await createTestNode({ caller: "trustd" });
    await using channel = createChannel({ target: `unix://${node.root}${paths.apidRuntimeSocket}` });
    await assert.rejects(createStateClient(channel, { registry }).list(HostnameStatus), denied);
  });
  it("answers health checks and reflection to readers, and to nobody below", async () => {
    await using node = await createTestNode();
    const health = node.client(Health, roles.reader);
    const service = MachineService.typeName;
    assert.equal((await health.check({ service })).status, ServingStatus.SERVING);
    await assert.rejects(health.check({ service: "no.Such" }), { kind: "not-found" });
    const question = { messageRequest: { case: "listServices" as const, value: "" } };
    async function* ask() {
      yield question;
    }
    const named: string[] = [];
    for await (const { messageResponse } of node.client(ServerReflection, roles.reader).serverReflectionInfo(ask())) {
      if (messageResponse.case !== "listServicesResponse") continue;
      named.push(...messageResponse.value.service.map(({ name }) => name));
    }
    assert.ok(named.includes(service) && named.includes("cosi.resource.State") && named.includes(Health.typeName));
    const refused = node.client(ServerReflection, roles.metaWriter).serverReflectionInfo(ask());
    await assert.rejects(async () => {
      for await (const _answer of refused);
    }, denied);
  });
});
