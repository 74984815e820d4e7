import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createChannel, createServer, type ListenAddress } from "@talos-ts/grpc";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { noteType, otherType, type HarnessOptions, type StateHarness } from "../conformance/state-fixtures.ts";
import { stateConformance } from "../conformance/state.ts";
import { createInMemoryState } from "../in-memory.ts";
import { createResourceRegistry, type ResourceRegistry } from "../registry.ts";
import { wrapCore } from "../wrap-core.ts";
import { createStateClient } from "./client.ts";
import { stateService } from "./service.ts";

async function open(
  address: ListenAddress,
  registry: ResourceRegistry,
  options: HarnessOptions,
): Promise<StateHarness> {
  const server = createServer({ graceMs: 0 });
  const known = createResourceRegistry([noteType, otherType]);
  server.addService(StateService, stateService(wrapCore(createInMemoryState(options)), { registry }));
  const listening = await server.listen(address);
  const channel = createChannel({ target: listening.address });
  return {
    state: wrapCore(createStateClient(channel, { registry: known, watchRetry: false })),
    async [Symbol.asyncDispose]() {
      await channel.close();
      await server.close(0);
    },
  };
}

stateConformance({
  name: "gRPC over a unix socket",
  boundsWatches: false,
  async open(options) {
    const directory = await mkdtemp(join(tmpdir(), "cosi-"));
    const registry = createResourceRegistry([noteType, otherType]);
    const harness = await open({ unix: join(directory, "state.sock") }, registry, options);
    return {
      state: harness.state,
      async [Symbol.asyncDispose]() {
        await harness[Symbol.asyncDispose]();
        await rm(directory, { recursive: true });
      },
    };
  },
});

stateConformance({
  name: "gRPC over TCP, the server not knowing the types",
  boundsWatches: false,
  open: (options) => open({ host: "127.0.0.1", port: 0 }, createResourceRegistry(), options),
});
