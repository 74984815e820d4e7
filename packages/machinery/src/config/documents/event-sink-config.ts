import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { field } from "../schema/type.ts";

/** What Go says about an address without a port. */
function addressProblem(address: string): string | undefined {
  const bracketed = /^\[[^\]]*\](.*)$/s.exec(address);
  const colons = (address.match(/:/g) ?? []).length;
  if (bracketed === null && colons > 1) return `address ${address}: too many colons in address`;
  const port = bracketed === null ? address.includes(":") : bracketed[1]?.startsWith(":") === true;
  return port ? undefined : `address ${address}: missing port in address`.replace("address :", "");
}

export const eventSinkConfig = document({
  kind: "EventSinkConfig",
  schemaName: "runtime.EventSinkV1Alpha1",
  doc: "Where events of the machine are sent.",
  fields: {
    endpoint: field(string(), "Address of the receiver, as host:port.", { always: true, example: "192.168.10.3:3247" }),
  },
  validate: ({ endpoint = "" }, check) => {
    const problem = addressProblem(endpoint);
    if (problem !== undefined) check.error(["endpoint"], `event sink endpoint: ${problem}`);
  },
});
