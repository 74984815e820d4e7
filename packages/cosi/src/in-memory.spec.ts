import { stateConformance } from "./conformance/state.ts";
import { createInMemoryState } from "./in-memory.ts";
import { wrapCore } from "./wrap-core.ts";

stateConformance({
  name: "in memory",
  boundsWatches: true,
  open: async (options) => ({
    state: wrapCore(createInMemoryState(options)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }),
});
