import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createServer, openRawCall, type GrpcServer } from "@talos-ts/grpc";
import { freePort } from "@talos-ts/host/testing";
import { apiServices } from "@talos-ts/machinery/api-services";
import { authorize, roles, rolesFor, roleSet } from "@talos-ts/machinery/roles";
import { createCluster, type Cluster } from "./testing/authority.ts";
import { connect, createNode, type Caller, type Node } from "./testing/node.ts";

/** Every method of the API, and two that it does not have. */
const methods = [
  ...apiServices.flatMap(({ typeName, methods: all }) => all.map(({ name }) => `/${typeName}/${name}`)),
  "/machine.MachineService/NoSuchMethod",
  "/unknown.Service/Method",
];
const persons = [...Object.values(roles).filter((role) => role !== roles.impersonator), "os:unheard-of"];
const [one, two] = ["127.77.2.1", "127.77.2.2"];

/**
 * A machined that does nothing but decide: it answers OK to a caller whose roles, as apid has told them, allow the method, with the
 * rule that the real one uses.
 */
function decide(server: GrpcServer): GrpcServer {
  return server.setFallback((call) => {
    authorize(call.method.path, roleSet(...call.metadata.getAll("talos-role")));
  });
}

describe("every method × every role × every way", () => {
  let cluster: Cluster;
  const nodes: Node[] = [];
  before(async () => {
    cluster = await createCluster();
    const port = await freePort();
    const api = (): GrpcServer => decide(createServer({ graceMs: 0 }));
    for (const address of [one, two]) nodes.push(await createNode({ cluster, address, port, api: api() }));
  });
  after(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
  });

  const ways: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    direct: {},
    forwarded: { node: two },
    "fan-out": { nodes: two },
  };

  async function outcome(
    { channel }: Caller,
    method: string,
    metadata: Readonly<Record<string, string>>,
  ): Promise<string> {
    const call = openRawCall(channel, method, { metadata });
    call.closeSend(new Uint8Array());
    let reply = "";
    try {
      for await (const message of call.responses) reply += Buffer.from(message).toString("latin1");
    } catch {
      // The status says it.
    }
    const { error } = await call.status;
    // A node that refuses is part of the answer of several.
    return error === undefined ? (/not authorized/.test(reply) ? "permission-denied" : "ok") : error.kind;
  }

  for (const [way, metadata] of Object.entries(ways)) {
    it(`${way}: the published table decides`, async () => {
      for (const role of persons) {
        const [first] = nodes;
        assert.ok(first);
        await using caller = connect(first, { material: await cluster.user(role) });
        for (const method of methods) {
          const got = await outcome(caller, method, metadata);
          // One call to several nodes is for services whose replies can be joined.
          if (way === "fan-out" && got === "invalid-argument") continue;
          const expected = rolesFor(method).includes(role) ? "ok" : "permission-denied";
          assert.equal(got, expected, `${method} as ${role}, ${way}`);
        }
      }
    });
  }

  it("a method or a service that nobody knows needs os:admin", () => {
    for (const method of methods.slice(-2)) assert.deepEqual(rolesFor(method), [roles.admin]);
  });

  it("roles that a caller names for itself are taken from nobody but another node", async () => {
    const [first] = nodes;
    assert.ok(first);
    const claim = { "talos-role": roles.admin };
    for (const role of persons.filter((each) => each !== roles.admin)) {
      await using caller = connect(first, { material: await cluster.user(role) });
      assert.equal(await outcome(caller, "/machine.MachineService/Reset", claim), "permission-denied", role);
      assert.equal(
        await outcome(caller, "/machine.MachineService/Reset", { ...claim, node: two }),
        "permission-denied",
        role,
      );
    }
    const pair = await cluster.client(one);
    const material = { ca: cluster.ca.pem.crt, cert: pair.crt, key: pair.key.replaceAll("ED25519 ", "") };
    await using peer = connect(first, { material });
    assert.equal(await outcome(peer, "/machine.MachineService/Reset", claim), "ok");
    assert.equal(
      await outcome(peer, "/machine.MachineService/Reset", { "talos-role": roles.reader }),
      "permission-denied",
    );
    assert.equal(await outcome(peer, "/machine.MachineService/Version", {}), "permission-denied");
  });
});
