import type { Event } from "@talos-ts/cosi";
import type { RawResource } from "@talos-ts/machinery/client/resources";
import { formatResult } from "@talos-ts/machinery/resources/jsonpath";
import { plainMetadata, plainSpec } from "./plain.ts";
import type { Out, ResourceWriter } from "./resource-writer.ts";

export function createJsonWriter(out: Out): ResourceWriter {
  let withEvents = false;
  return {
    header(_definition, events) {
      withEvents = events;
    },
    resource(node, resource, event) {
      out(`${formatResult(plainResource(node, resource, withEvents ? event : undefined), 4)}\n`);
    },
    flush: () => undefined,
  };
}

/** A resource as one value, with the node it is from. */
export function plainResource(node: string, resource: RawResource, event: Event["type"] | undefined): object {
  return {
    node,
    ...(event !== undefined && { event }),
    metadata: plainMetadata(resource),
    spec: plainSpec(resource),
  };
}
