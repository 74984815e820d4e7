import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";
import { nfTablesChainHook, nfTablesChainPriority, nfTablesVerdict } from "../enums/index.ts";
import { nftablesRule } from "./nftables-rule.ts";

/** A chain of nftables rules that should be in the kernel. */
export const NfTablesChain = defineResource({
  type: "NfTablesChains.net.talos.dev",
  namespace: "network",
  aliases: ["chain", "chains"],
  columns: [
    ["Type", "{.type}"],
    ["Hook", "{.hook}"],
    ["Priority", "{.priority}"],
    ["Policy", "{.policy}"],
  ],
  spec: {
    type: field(1, text),
    hook: field(2, nfTablesChainHook),
    priority: field(3, nfTablesChainPriority),
    policy: field(5, nfTablesVerdict),
    rules: field(4, list(nftablesRule)),
  },
});

export type NfTablesChainSpec = SpecOf<typeof NfTablesChain>;
