import { formatResult, parseJsonPath } from "@talos-ts/machinery/resources/jsonpath";
import { plainResource } from "./json.ts";
import type { Out, ResourceWriter } from "./resource-writer.ts";

/** Every result on a line of its own. @throws when the template cannot be read. */
export function createJsonPathWriter(template: string, out: Out): ResourceWriter {
  const path = parseJsonPath(template);
  let withEvents = false;
  return {
    header(_definition, events) {
      withEvents = events;
    },
    resource(node, resource, event) {
      const value = plainResource(node, resource, withEvents ? event : undefined);
      for (const result of path.find(value).flat()) out(`${formatResult(result, 4)}\n`);
    },
    flush: () => undefined,
  };
}
