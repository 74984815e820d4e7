import { enumOf, type EnumCodec } from "../dsl/index.ts";

const numbered = Object.fromEntries(Array.from({ length: 252 }, (_, index) => [String(index + 1), index + 1]));

/** A routing table: the kernel's own by name, the others by number. */
export type RoutingTable = "unspec" | "default" | "main" | "local" | `${number}` | `RoutingTable(${number})`;

/** Routing tables: the kernel's names for 253 to 255, any number else. */
export const routingTable: EnumCodec<RoutingTable> = enumOf("RoutingTable", {
  unspec: 0,
  ...numbered,
  default: 253,
  main: 254,
  local: 255,
});
