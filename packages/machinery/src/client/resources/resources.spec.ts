import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createInMemoryState,
  createResource,
  createResourceRegistry,
  stateService,
  wrapCore,
  type CoreState,
} from "@talos-ts/cosi";
import { createServer } from "@talos-ts/grpc";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { HostnameStatus, type NodeAddress } from "../../resources/network/index.ts";
import { connectApi, type ApiConnection } from "../connect.ts";
import { rawResources, type RawResources } from "./raw-resources.ts";
import { openResources, type TypedResources } from "./typed-resources.ts";

type Assignable<From, To> = From extends To ? true : false;

/** A node that has one hostname, on a unix socket. */
async function serve(): Promise<AsyncDisposable & { readonly connection: ApiConnection }> {
  const directory = await temporaryDirectory();
  const state = wrapCore(createInMemoryState());
  const spec = HostnameStatus.spec({ hostname: "node-1", domainname: "example.org" });
  await state.create(createResource(HostnameStatus, HostnameStatus.id, spec));
  const registry = createResourceRegistry([HostnameStatus]);
  const server = createServer({ graceMs: 0 }).addService(StateService, stateService(state, { registry }));
  await server.listen({ unix: `${directory.path}/s` });
  const connection = connectApi({ endpoints: [`unix://${directory.path}/s`] });
  return {
    connection,
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      await server.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

describe("openResources()", () => {
  it("gives decoded specs of the types it was opened with", async () => {
    await using node = await serve();
    const resources = openResources(node.connection, undefined, [HostnameStatus]);
    assert.equal((await resources.get(HostnameStatus, HostnameStatus.id)).spec.hostname, "node-1");
    assert.equal((await resources.list(HostnameStatus)).length, 1);
    assert.equal(await resources.find(HostnameStatus, "none"), undefined);
    const found = await resources.watchFor(HostnameStatus, HostnameStatus.id, {
      test: ({ spec }) => spec.domainname === "example.org",
    });
    assert.equal(found.spec.hostname, "node-1");
  });
  it("does not take another type, at compile time", () => {
    type Reader = TypedResources<typeof HostnameStatus>;
    const takesItsOwn: Assignable<typeof HostnameStatus, Parameters<Reader["get"]>[0]> = true;
    const takesAnother: Assignable<typeof NodeAddress, Parameters<Reader["get"]>[0]> = false;
    assert.deepEqual([takesItsOwn, takesAnother], [true, false]);
  });
});

describe("rawResources()", () => {
  it("gives specs as they came", async () => {
    await using node = await serve();
    const { spec } = await rawResources(node.connection).get({
      namespace: HostnameStatus.namespace,
      type: HostnameStatus.type,
      id: HostnameStatus.id,
    });
    assert.match(spec.yaml, /^hostname: node-1$/m);
    assert.equal(HostnameStatus.codec.decode(spec.proto).hostname, "node-1");
  });
  it("is not what typed readers such as getTyped take, at compile time", () => {
    const isState: Assignable<RawResources, CoreState> = false;
    assert.equal(isState, false);
  });
});
