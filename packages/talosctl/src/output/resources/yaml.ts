import type { RawResource } from "@talos-ts/machinery/client/resources";
import { isMap, isScalar, isSeq, parseDocument, stringify } from "yaml";
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

/** Values stand without quotes wherever they can, also those that look like numbers: that is how clients print them. */
function metadataYaml(resource: RawResource): string {
  return Object.entries(plainMetadata(resource))
    .map(([key, value]) => {
      if (Array.isArray(value)) return `${key}:\n${value.map((item) => `    - ${scalar(item)}\n`).join("")}`;
      if (typeof value !== "object" || value === null) return `${`${key}: ${scalar(value)}`.trimEnd()}\n`;
      const pairs = Object.entries(value).map(([name, item]) => `    ${scalar(name)}: ${scalar(item)}\n`);
      return `${key}:\n${pairs.join("")}`;
    })
    .join("");
}

function scalar(value: unknown): string {
  const text = value === null ? "" : String(value);
  const isPlain = /^(?:[^\s\p{Cc}'"#:,[\]{}&*!|>%@`?-](?:[^\p{Cc}]*\S)?)?$/u.test(text) && !/: | #|:$/.test(text);
  return isPlain ? text : JSON.stringify(text);
}

/** The spec as its node wrote it, below its key; nothing is parsed and written again, so that nothing changes. */
function specYaml(resource: RawResource): string {
  if (isBareConfig(resource)) return block(resource.spec.yaml);
  const text = resource.spec.yaml.replace(/\n*$/, "\n");
  if (text === "\n") return "spec: null\n";
  const { contents } = parseDocument(text, { logLevel: "silent" });
  if (isScalar(contents) && typeof contents.value === "string") return block(contents.value);
  const isBlock = (isMap(contents) || isSeq(contents)) && contents.flow !== true;
  return isBlock ? `spec:\n${indent(text)}` : `spec: ${text}`;
}

function block(text: string): string {
  return stringify({ spec: text }, { indent: 4, lineWidth: 0 });
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "    ");
}
