import { parseJsonPath, type JsonPath } from "@talos-ts/machinery/resources/jsonpath";
import { createColumns } from "../columns.ts";
import { plainSpec } from "./plain.ts";
import type { Out, ResourceWriter } from "./resource-writer.ts";

const eventMarks: Readonly<Record<string, string>> = { created: "+", destroyed: "-", updated: " " };

export function createTableWriter(out: Out): ResourceWriter {
  const columns = createColumns(out);
  let displayType = "";
  let marked = false;
  let paths: readonly JsonPath[] = [];
  return {
    header(definition, withEvents) {
      ({ displayType } = definition);
      marked = withEvents;
      paths = definition.printColumns.map(({ jsonPath }) => parseJsonPath(jsonPath));
      const extra = definition.printColumns.map(({ name }) => name.toUpperCase());
      columns.add(["NODE", ...(marked ? ["*"] : []), "NAMESPACE", "TYPE", "ID", "VERSION", ...extra]);
    },
    resource(node, resource, event) {
      const { namespace, id, version } = resource.metadata;
      const mark = event === undefined ? undefined : eventMarks[event];
      if (marked && mark === undefined) return;
      const spec = paths.length === 0 ? undefined : plainSpec(resource);
      columns.add([
        node,
        ...(marked ? [mark ?? ""] : []),
        namespace,
        displayType,
        id,
        version === 0 ? "undefined" : String(version),
        ...paths.map((path) => path.format(spec, { allowMissing: true })),
      ]);
    },
    flush: () => columns.flush(),
  };
}
