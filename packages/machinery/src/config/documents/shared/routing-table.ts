import { choice } from "../../schema/scalars.ts";

const numbered = Array.from({ length: 252 }, (_, index) => String(index + 1));

/** A routing table of the kernel, by name or number. */
export const routingTable = choice("RoutingTable", ["unspec", "default", "main", "local", ...numbered], {
  zero: "unspec",
  json: { type: "string" },
});
