import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createChannel, createServer } from "@talos-ts/grpc";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { runtimeConformance } from "../conformance/runtime.ts";
import { noteType, otherType } from "../conformance/state-fixtures.ts";
import { createStateClient } from "../grpc/client.ts";
import { stateService } from "../grpc/service.ts";
import { createInMemoryState } from "../in-memory.ts";
import { createResourceRegistry } from "../registry.ts";
import { wrapCore } from "../wrap-core.ts";

runtimeConformance({
  name: "gRPC over a unix socket",
  boundsWatches: false,
  async open(options) {
    const directory = await mkdtemp(join(tmpdir(), "cosi-runtime-"));
    const registry = createResourceRegistry([noteType, otherType]);
    const server = createServer({ graceMs: 0 });
    server.addService(StateService, stateService(wrapCore(createInMemoryState(options)), { registry }));
    const listening = await server.listen({ unix: join(directory, "state.sock") });
    const channel = createChannel({ target: listening.address });
    return {
      state: wrapCore(createStateClient(channel, { registry, watchRetry: false })),
      async [Symbol.asyncDispose]() {
        await channel.close();
        await server.close(0);
        await rm(directory, { recursive: true });
      },
    };
  },
});
