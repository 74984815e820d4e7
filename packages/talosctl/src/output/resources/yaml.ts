import type { RawResource } from "@talos-ts/machinery/client/resources";
import { isMap, isSeq, parseDocument, stringify } from "yaml";
import { isBareConfig, plainMetadata } from "./plain.ts";
import type { Out, ResourceWriter } from "./resource-writer.ts";

export function createYamlWriter(out: Out): ResourceWriter {
  let first = true;
  let withEvents = false;
  return {
    header(_definition, events) {
      withEvents = events;
    },
    resource(node, resource, event) {
      if (!first) out("---\n");
      first = false;
      out(`node: ${node}\n${withEvents && event !== undefined ? `event: ${event}\n` : ""}`);
      out(`metadata:\n${indent(metadataYaml(resource))}${specYaml(resource)}`);
    },
    flush: () => undefined,
  };
}

function metadataYaml(resource: RawResource): string {
  return stringify(plainMetadata(resource), { indent: 4, lineWidth: 0, nullStr: "" }).replace(/: $/gm, ":");
}

/** The spec as its node wrote it, below its key; nothing is parsed and written again, so that nothing changes. */
function specYaml(resource: RawResource): string {
  if (isBareConfig(resource)) return stringify({ spec: resource.spec.yaml }, { indent: 4, lineWidth: 0 });
  const text = resource.spec.yaml.replace(/\n*$/, "\n");
  if (text === "\n") return "spec: null\n";
  const { contents } = parseDocument(text, { logLevel: "silent" });
  const isBlock = (isMap(contents) || isSeq(contents)) && contents.flow !== true;
  return isBlock ? `spec:\n${indent(text)}` : `spec: ${text}`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "    ");
}
