import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

/** Returns what Go says about an address without a port. */
function addressProblem(address: string): string | undefined {
  const bracketed = /^\[[^\]]*\](.*)$/s.exec(address);
  const isCrowded = bracketed === null && address.indexOf(":") !== address.lastIndexOf(":");
  const hasPort = bracketed === null ? address.includes(":") : bracketed[1]?.startsWith(":") === true;
  if (hasPort && !isCrowded) return undefined;
  const problem = isCrowded ? "too many colons in address" : "missing port in address";
  return address === "" ? problem : `address ${address}: ${problem}`;
}

export const eventSinkConfig = document({
  kind: "EventSinkConfig",
  schemaName: "runtime.EventSinkV1Alpha1",
  doc: "Where events of the machine are sent.",
  fields: {
    endpoint: property(string(), "Address of the receiver, as host:port.", {
      always: true,
      example: "192.168.10.3:3247",
    }),
  },
  validate: ({ endpoint = "" }, check) => {
    const problem = addressProblem(endpoint);
    if (problem !== undefined) check.error(["endpoint"], `event sink endpoint: ${problem}`);
  },
});
