import { runtimeConformance } from "../conformance/runtime.ts";
import { createInMemoryState } from "../in-memory.ts";
import { wrapCore } from "../wrap-core.ts";

runtimeConformance({
  name: "in memory",
  boundsWatches: true,
  open: async (options) => ({
    state: wrapCore(createInMemoryState(options)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }),
});
