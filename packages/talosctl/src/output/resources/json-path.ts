import { OsError } from "@talos-ts/base";
import { formatResult, parseJsonPath, type JsonPath } from "@talos-ts/machinery/resources/jsonpath";
import { plainResource } from "./json.ts";
import type { Out, ResourceWriter } from "./resource-writer.ts";

/** Every result on a line of its own. @throws when the template cannot be read. */
export function createJsonPathWriter(template: string, out: Out): ResourceWriter {
  const path = readTemplate(template);
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

function readTemplate(template: string): JsonPath {
  try {
    return parseJsonPath(template);
  } catch (err) {
    const { kind, code, message } = OsError.from(err);
    throw new OsError({
      kind,
      code,
      message: `Cannot read the template ${JSON.stringify(template)}: ${message}`,
      next: "talosctl get members -o jsonpath='{.spec.hostname}' (a template that can be read)",
    });
  }
}
