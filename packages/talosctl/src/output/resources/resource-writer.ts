import { OsError } from "@talos-ts/base";
import type { Event, ResourceDefinition } from "@talos-ts/cosi";
import type { RawResource } from "@talos-ts/machinery/client/resources";

/** Shows resources of one type, one after the other. */
export interface ResourceWriter {
  /** Comes first. */
  header(definition: ResourceDefinition, withEvents: boolean): void;
  resource(node: string, resource: RawResource, event?: Event["type"]): void;
  /** Shows what was held back to line it up. */
  flush(): void;
}

export type Out = (text: string) => void;

const formats: Readonly<Record<string, (out: Out) => Promise<ResourceWriter>>> = {
  table: async (out) => (await import("./table.ts")).createTableWriter(out),
  yaml: async (out) => (await import("./yaml.ts")).createYamlWriter(out),
  json: async (out) => (await import("./json.ts")).createJsonWriter(out),
};

/** @throws `cli/bad-output`, or what reading a JSONPath throws. */
export async function createResourceWriter(format: string, out: Out): Promise<ResourceWriter> {
  if (format.startsWith("jsonpath=")) {
    return (await import("./json-path.ts")).createJsonPathWriter(format.slice("jsonpath=".length), out);
  }
  const create = formats[format];
  if (create !== undefined) return create(out);
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/bad-output",
    message: `output format ${JSON.stringify(format)} is not supported`,
    next: "talosctl get <type> -o table|yaml|json|jsonpath='{.spec}'",
  });
}
