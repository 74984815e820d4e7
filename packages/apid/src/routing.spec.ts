import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { isCode, OsError } from "@talos-ts/base";
import { roles } from "@talos-ts/machinery/roles";
import { DataSchema } from "@talos-ts/proto/common/common";
import { VersionResponseSchema } from "@talos-ts/proto/machine/system";
import { callerRoles, type Caller } from "./caller-roles.ts";
import { route, type RoutingMetadata, type RoutingMode } from "./director.ts";
import { errorReply, markMessage, markReply } from "./node-metadata.ts";

const version = "/machine.MachineService/Version";
const none: RoutingMetadata = { node: [], nodes: [], proxyFrom: [] };
const controlPlane: RoutingMode = { nodeRoutingDisabled: false, canForward: true, self: new Set(["10.5.0.2"]) };
const worker: RoutingMode = { ...controlPlane, canForward: false };

describe("route()", () => {
  it("keeps calls without node metadata, and calls another apid forwarded, on this node", () => {
    assert.deepEqual(route(version, none, controlPlane), { kind: "local" });
    const forwarded = { ...none, nodes: ["10.5.0.9"], proxyFrom: ["10.5.0.3"] };
    assert.deepEqual(route(version, forwarded, controlPlane), { kind: "local" });
  });
  it("ignores nodes in maintenance", () => {
    const mode = { ...controlPlane, nodeRoutingDisabled: true };
    assert.deepEqual(route(version, { ...none, nodes: ["a", "b"] }, mode), { kind: "local" });
  });
  it("sends `nodes` to many, even a single one, and `node` to one", () => {
    const many = route(version, { ...none, nodes: ["10.5.0.2"] }, controlPlane);
    assert.deepEqual(many, { kind: "many", targets: ["10.5.0.2"] });
    assert.deepEqual(route(version, { ...none, node: ["b"] }, controlPlane), { kind: "one", target: "b" });
  });
  it("refuses several values of node, and fan-out of a service that cannot be merged", () => {
    assert.throws(() => route(version, { ...none, node: ["a", "b"] }, controlPlane), {
      message: "node metadata must be single-valued",
    });
    assert.throws(() => route("/cosi.resource.State/Get", { ...none, nodes: ["a"] }, controlPlane), {
      message: "one-2-many proxying is not supported for method /cosi.resource.State/Get",
    });
  });
  it("T-16: a worker answers for itself and forwards nothing", () => {
    assert.deepEqual(route(version, { ...none, nodes: ["10.5.0.2"] }, worker), { kind: "local" });
    assert.deepEqual(route(version, { ...none, node: ["10.5.0.2"] }, worker), { kind: "local" });
    const refused = { kind: "permission-denied", message: "no request forwarding" };
    assert.throws(() => route(version, { ...none, nodes: ["10.5.0.3"] }, worker), refused);
    assert.throws(() => route(version, { ...none, nodes: ["10.5.0.2", "10.5.0.3"] }, worker), refused);
  });
});

describe("markReply()", () => {
  it("marks every item, so that joined replies decode as one list", () => {
    const reply = (tag: string): Uint8Array =>
      toBinary(VersionResponseSchema, create(VersionResponseSchema, { messages: [{ version: { tag } }] }));
    const joined = Buffer.concat([markReply(reply("one"), "10.5.0.2"), markReply(reply("two"), "10.5.0.3")]);
    const { messages } = fromBinary(VersionResponseSchema, joined);
    assert.deepEqual(
      messages.map((item) => [item.metadata?.hostname, item.version?.tag]),
      [
        ["10.5.0.2", "one"],
        ["10.5.0.3", "two"],
      ],
    );
  });
  it("marks an empty reply too", () => {
    const { messages } = fromBinary(VersionResponseSchema, markReply(new Uint8Array(), "10.5.0.2"));
    assert.deepEqual(
      messages.map((item) => item.metadata?.hostname),
      ["10.5.0.2"],
    );
  });
  it("refuses bytes that are no list of items", () => {
    assert.throws(() => markReply(Uint8Array.of(0x10, 1), "n"), { code: "apid/unexpected-reply" });
  });
  it("answers any bytes with a list or a refusal", () => {
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    for (let round = 0; round < 3000; round += 1) {
      const bytes = Uint8Array.from({ length: random(24) }, (_, index) =>
        index === 0 && random(2) ? 10 : random(256),
      );
      try {
        markReply(markReply(bytes, "n"), "m");
      } catch (err) {
        assert.ok(isCode(err, "apid/unexpected-reply"), String(err));
      }
    }
  });
});

describe("errorReply()", () => {
  it("carries text and status as metadata of an ordinary reply", () => {
    const error = new OsError({ kind: "unavailable", message: "connection refused" });
    const { messages } = fromBinary(VersionResponseSchema, errorReply(error, "n1", false));
    assert.equal(messages[0]?.metadata?.error, "rpc error: code = Unavailable desc = connection refused");
    assert.equal(messages[0]?.metadata?.status?.code, 14);
    assert.equal(fromBinary(DataSchema, errorReply(error, "n1", true)).metadata?.hostname, "n1");
  });
});

describe("markMessage()", () => {
  it("adds the node to a message of a stream", () => {
    const data = toBinary(DataSchema, create(DataSchema, { bytes: Buffer.from("line") }));
    const marked = fromBinary(DataSchema, markMessage(data, "n2"));
    assert.deepEqual([marked.metadata?.hostname, Buffer.from(marked.bytes).toString()], ["n2", "line"]);
  });
});

describe("callerRoles()", () => {
  const normal = { readonlyRoleMode: false };
  const maintenance = { readonlyRoleMode: true };
  const caller = (organizations: readonly string[], vouched: readonly string[] = [], ip = "10.5.0.1"): Caller => ({
    organizations,
    vouched,
    ip,
  });
  it("takes the roles of the certificate", () => {
    assert.deepEqual([...callerRoles(caller([roles.reader], ["os:admin"]), normal)], [roles.reader]);
  });
  it("takes vouched roles only from an impersonator", () => {
    assert.deepEqual([...callerRoles(caller([roles.impersonator], [roles.operator]), normal)], [roles.operator]);
    assert.deepEqual([...callerRoles(caller([roles.impersonator]), normal)], [roles.impersonator]);
  });
  it("makes everyone a reader in maintenance", () => {
    assert.deepEqual([...callerRoles(caller([roles.admin], [roles.admin]), maintenance)], [roles.reader]);
  });
  it("makes peers on the management tunnel admins in maintenance, and only there", () => {
    const expected: readonly (readonly [string, string])[] = [
      ["fdae:41e4:649b:9303::1", roles.admin],
      ["fd00:0:0:3::", roles.admin],
      ["fdae:41e4:649b:9302::1", roles.reader],
      ["fcae:41e4:649b:9303::1", roles.reader],
      ["fd::3:0:0:0:1", roles.reader],
      ["::ffff:10.5.0.1", roles.reader],
      ["fd00::3", roles.reader],
    ];
    for (const [ip, role] of expected) {
      assert.deepEqual([...callerRoles(caller([], [], ip), maintenance)], [role], ip);
    }
    assert.deepEqual([...callerRoles(caller([], [], "fdae:41e4:649b:9303::1"), normal)], []);
  });
});
