import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createChannel, createServer, type GrpcServer } from "@talos-ts/grpc";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { brief, note, notePointer, notes, noteType, readEvents } from "../conformance/state-fixtures.ts";
import { isInvalidBookmark, isNotFound } from "../errors.ts";
import { createInMemoryState } from "../in-memory.ts";
import { createResourceRegistry } from "../registry.ts";
import type { State } from "../state.ts";
import { wrapCore } from "../wrap-core.ts";
import { createStateClient } from "./client.ts";
import { stateService } from "./service.ts";

const registry = createResourceRegistry([noteType]);
const quick = { initialMs: 1, maxMs: 5, jitter: 0 };

interface Node extends AsyncDisposable {
  readonly unix: string;
  serve(
    state: State,
    change?: (impl: ReturnType<typeof stateService>) => ReturnType<typeof stateService>,
  ): Promise<GrpcServer>;
}

async function createNode(): Promise<Node> {
  const directory = await mkdtemp(join(tmpdir(), "cosi-"));
  const unix = join(directory, "state.sock");
  const servers: GrpcServer[] = [];
  return {
    unix,
    async serve(state, change = (impl) => impl) {
      const server = createServer({ graceMs: 0 }).addService(StateService, change(stateService(state, { registry })));
      servers.push(server);
      await server.listen({ unix });
      return server;
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.close(0);
      await rm(directory, { recursive: true });
    },
  };
}

describe("createStateClient()", () => {
  it("goes on with a watch where a lost connection left it", async () => {
    await using node = await createNode();
    const state = wrapCore(createInMemoryState());
    let server = await node.serve(state);
    await using channel = createChannel({ target: `unix://${node.unix}`, backoff: quick });
    const client = createStateClient(channel, { registry, watchRetry: quick });
    await using events = readEvents(await client.watchKind(notes, { bootstrapContents: true }));
    assert.equal(brief(await events.next()), "bootstrapped");

    await server.close(0);
    await state.create(note("a"));
    server = await node.serve(state);
    assert.equal(brief(await events.next()), "created a@1");

    await server.close(0);
    await state.addFinalizer(notePointer("a"), "x");
    await node.serve(state);
    assert.equal(brief(await events.next()), "updated a@1→2");
  });

  it("ends a watch whose place in history is gone", async () => {
    await using node = await createNode();
    const server = await node.serve(wrapCore(createInMemoryState()));
    await using channel = createChannel({ target: `unix://${node.unix}`, backoff: quick });
    const client = createStateClient(channel, { registry, watchRetry: quick });
    await using events = readEvents(await client.watchKind(notes, { bootstrapBookmark: true }));
    assert.equal(brief(await events.next()), "noop");
    await server.close(0);
    await node.serve(wrapCore(createInMemoryState()));
    await assert.rejects(events.next(), (err) => isInvalidBookmark(err));
  });

  it("ends a watch with the connection when told not to retry", async () => {
    await using node = await createNode();
    const server = await node.serve(wrapCore(createInMemoryState()));
    await using channel = createChannel({ target: `unix://${node.unix}`, backoff: quick });
    const client = createStateClient(channel, { registry, watchRetry: false });
    await using events = readEvents(await client.watchKind(notes, { bootstrapContents: true }));
    await events.next();
    await server.close(0);
    await assert.rejects(events.next(), { kind: "unavailable" });
  });

  it("tears down by other means where the server cannot", async () => {
    await using node = await createNode();
    const state = wrapCore(createInMemoryState());
    await node.serve(
      state,
      ({ get, update, destroy, watch }) => ({ get, update, destroy, watch }) as ReturnType<typeof stateService>,
    );
    await using channel = createChannel({ target: `unix://${node.unix}` });
    const client = wrapCore(createStateClient(channel, { registry }));
    for (const id of ["a", "b"]) {
      await state.create(note(id));
      assert.equal(await client.teardown(notePointer(id)), true);
      await client.teardownAndDestroy(notePointer(id));
      await assert.rejects(state.get(notePointer(id)), (err) => isNotFound(err));
    }
  });
});
