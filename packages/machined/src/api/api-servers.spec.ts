import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResourceRegistry, createStateClient, pointerTo } from "@talos-ts/cosi";
import { createChannel } from "@talos-ts/grpc";
import { paths } from "@talos-ts/machinery/constants";
import { HostnameStatus } from "@talos-ts/machinery/resources/network";
import { OSRootSecret } from "@talos-ts/machinery/resources/secrets";
import { roles } from "@talos-ts/machinery/roles";
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
});
