import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { OsError, type ErrorKind } from "@talos-ts/base";
import { createChannel, createClient, createServer, type Channel, type Client, type GrpcServer } from "@talos-ts/grpc";
import { EventType, State as StateService } from "@talos-ts/proto/cosi/resource";
import { note, notePointer, noteType } from "../conformance/state-fixtures.ts";
import { createInMemoryState } from "../in-memory.ts";
import { createResourceRegistry } from "../registry.ts";
import type { State } from "../state.ts";
import { wrapCore } from "../wrap-core.ts";
import type { StateAccess } from "./access.ts";
import { stateService } from "./service.ts";

/** Tests what a client of another make sees: messages and statuses. */
describe("stateService()", () => {
  let state: State;
  let server: GrpcServer;
  let channel: Channel;
  let client: Client<typeof StateService>;
  let accesses: StateAccess[];
  let denied: StateAccess["verb"] | undefined;
  const pointer = notePointer("a");

  beforeEach(async () => {
    state = wrapCore(createInMemoryState());
    accesses = [];
    denied = undefined;
    server = createServer({ graceMs: 0 }).addService(
      StateService,
      stateService(state, {
        registry: createResourceRegistry([noteType]),
        watchCapacity: 4,
        filter(access) {
          accesses.push(access);
          if (access.verb === denied) throw new OsError({ kind: "permission-denied", message: "not authorized" });
        },
      }),
    );
    const { address } = await server.listen({ host: "127.0.0.1", port: 0 });
    channel = createChannel({ target: address });
    client = createClient(StateService, channel);
  });
  afterEach(async () => {
    await channel.close();
    await server.close(0);
  });

  const rejects = (call: Promise<unknown>, kind: ErrorKind, message: RegExp): Promise<void> =>
    assert.rejects(call, (err) => {
      assert.ok(err instanceof OsError);
      assert.equal(err.kind, kind);
      assert.match(err.message, message);
      return true;
    });

  it("tells conflicts apart by the statuses that clients expect", async () => {
    await rejects(client.get(pointer), "not-found", /doesn't exist/);
    await state.create(note("a", {}, { finalizers: ["x"] }), { owner: "one" });
    const { resource } = await client.get(pointer);
    assert.ok(resource?.metadata !== undefined);
    await rejects(client.create({ resource, options: { owner: "one" } }), "already-exists", /already exists/);
    await rejects(client.update({ newResource: resource }), "permission-denied", /is owned by "one"/);
    const stale = { ...resource, metadata: { ...resource.metadata, version: "7" } };
    const options = { owner: "one" };
    await rejects(client.update({ newResource: stale, options }), "failed-precondition", /update conflict/);
    const expectedPhase = "tearingDown";
    const wrongPhase = { newResource: resource, options: { owner: "one", expectedPhase } };
    await rejects(client.update(wrongPhase), "invalid-argument", /is not in phase tearingDown/);
    await rejects(client.destroy({ ...pointer, options }), "failed-precondition", /has pending finalizers \[x\]/);
    await rejects(client.destroy(pointer), "permission-denied", /is owned by/);
    await rejects(client.teardown(pointer), "permission-denied", /is owned by/);
    await rejects(client.teardown({ ...pointer, id: "b" }), "not-found", /doesn't exist/);
    const foreign = { ...pointer, options: { startFromBookmark: new Uint8Array([1]) } };
    await rejects(client.watch(foreign).next(), "failed-precondition", /invalid watch bookmark/);
    const bootstrap = { ...pointer, options: { bootstrapContents: true } };
    await rejects(client.watch(bootstrap).next(), "unimplemented", /bootstrap contents is not implemented/);
  });

  it("refuses malformed resources", async () => {
    await rejects(client.create({}), "invalid-argument", /metadata is missing/);
    const metadata = { ...pointer, version: "undefined", phase: "running" };
    await rejects(client.create({ resource: { metadata } }), "invalid-argument", /spec is missing/);
    const lost = { metadata: { ...metadata, phase: "lost" }, spec: {} };
    await rejects(client.create({ resource: lost }), "invalid-argument", /unknown phase: lost/);
    const odd = { metadata: { ...metadata, version: "x" }, spec: {} };
    await rejects(client.create({ resource: odd }), "invalid-argument", /error parsing version/);
  });

  it("shows specs both as bytes and as YAML", async () => {
    await state.create(note("a", { text: "yes", count: 3, list: ["0644"] }));
    const { resource } = await client.get(pointer);
    assert.equal(resource?.spec?.yamlSpec, 'text: "yes"\ncount: 3\nlist:\n    - "0644"\n');
    assert.equal(Buffer.from(resource.spec.protoSpec).toString(), '{"text":"yes","count":3,"list":["0644"]}');
  });

  it("carries specs of unknown types as they came", async () => {
    const unknown = { namespace: "n", type: "Strangers.example.org", id: "s" };
    const spec = { protoSpec: new Uint8Array([8, 1]), yamlSpec: "any: thing # with comment\n" };
    const metadata = { ...unknown, version: "undefined", phase: "running" };
    await client.create({ resource: { metadata, spec } });
    const { resource } = await client.get(unknown);
    assert.deepEqual(Buffer.from(resource?.spec?.protoSpec ?? []), Buffer.from(spec.protoSpec));
    assert.equal(resource?.spec?.yamlSpec, spec.yamlSpec);
  });

  it("expects any phase when the caller names none", async () => {
    await state.create(note("a"));
    await state.teardown(pointer);
    const { resource } = await client.get(pointer);
    assert.ok(resource !== undefined);
    const updated = await client.update({ newResource: resource });
    assert.equal(updated.resource?.metadata?.version, "3");
  });

  it("asks the filter before every access, and passes on its refusal", async () => {
    await state.create(note("a"));
    denied = "list";
    await rejects(client.list(pointer).next(), "permission-denied", /not authorized/);
    await client.get(pointer);
    await client.teardown(pointer);
    await client.teardownAndDestroy(pointer);
    const { namespace, type, id } = pointer;
    assert.deepEqual(accesses, [
      { verb: "list", namespace, type },
      { verb: "get", namespace, type, id },
      { verb: "teardown", namespace, type, id },
      { verb: "teardown", namespace, type, id },
      { verb: "destroy", namespace, type, id },
    ]);
  });

  it("watches: ready, contents, kind of the bootstrapped event, single events", async () => {
    await state.create(note("a"));
    await state.create(note("b"));
    const { namespace, type } = pointer;
    const stream = client.watch({ namespace, type, options: { bootstrapContents: true }, apiVersion: 1 });
    const seen = [];
    for await (const { event } of stream) {
      seen.push(event.map(({ eventType, resource }) => [eventType, resource?.metadata?.type, resource?.metadata?.id]));
      if (seen.length === 4) break;
    }
    assert.deepEqual(seen, [
      [],
      [[EventType.CREATED, type, "a"]],
      [[EventType.CREATED, type, "b"]],
      [[EventType.BOOTSTRAPPED, type, ""]],
    ]);
  });

  it("keeps events that old callers do not know from them", async () => {
    await state.create(note("a"));
    const { namespace, type } = pointer;
    const options = { bootstrapContents: true, bootstrapBookmark: true };
    const seen: EventType[] = [];
    for await (const { event } of client.watch({ namespace, type, options })) {
      seen.push(...event.map(({ eventType }) => eventType));
      if (seen.length === 2) break;
    }
    assert.deepEqual(seen, [EventType.CREATED, EventType.NOOP]);
  });

  it("says in an event that a watch was overrun, then ends it", async () => {
    const { namespace, type } = pointer;
    const stream = client.watch({ namespace, type, apiVersion: 1 });
    await stream.next();
    // More than may wait, in one go: nobody gets to read in between.
    await Promise.all(Array.from({ length: 20 }, (_, index) => state.create(note(`n${index}`))));
    const { value } = await stream.next();
    assert.equal(value?.event[0]?.eventType, EventType.ERRORED);
    assert.match(value?.event[0]?.error ?? "", /^buffer overrun: namespace "conformance" type "Notes/);
    assert.equal((await stream.next()).done, true);
  });
});
