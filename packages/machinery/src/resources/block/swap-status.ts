import { defineResource, field, int32, text, uint64, type SpecOf } from "../dsl/index.ts";

/** A swap device in use. */
export const SwapStatus = defineResource({
  type: "SwapStatuses.block.talos.dev",
  namespace: "runtime",
  aliases: ["swap", "swaps"],
  columns: [
    ["Device", "{.device}"],
    ["Size", "{.sizeHuman}"],
    ["Used", "{.usedHuman}"],
    ["Priority", "{.priority}"],
  ],
  spec: {
    device: field(1, text),
    type: field(7, text),
    size: field(2, uint64),
    sizeHuman: field(3, text),
    used: field(4, uint64),
    usedHuman: field(5, text),
    priority: field(6, int32),
  },
});

export type SwapStatusSpec = SpecOf<typeof SwapStatus>;
