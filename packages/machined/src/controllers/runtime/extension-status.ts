import { isRecord } from "@talos-ts/base";
import { readOptional } from "@talos-ts/host";
import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { ExtensionStatus, type ExtensionStatusSpec } from "@talos-ts/machinery/resources/runtime";
import { parse } from "yaml";
import { extensionsFile } from "../../extensions/paths.ts";

/** The system extensions of the image, from the list that was written when it was built. */
export function extensionStatusController(machine: { readonly root: string }): Controller {
  return reduceController({
    name: "runtime.ExtensionStatusController",
    inputs: [],
    outputs: [exclusive(ExtensionStatus)],
    async reduce() {
      const text = String((await readOptional(`${machine.root}${extensionsFile}`)) ?? "");
      return extensionsOf(text).map((spec, index) => createResource(ExtensionStatus, String(index), spec));
    },
  });
}

/** Versions such as `1.10` are no numbers. */
const asTexts = { schema: "failsafe" } as const;

function extensionsOf(text: string): ExtensionStatusSpec[] {
  const list = record(parse(text, asTexts))["layers"];
  if (!Array.isArray(list)) return [];
  return list.map((layer) => {
    const { image, metadata } = record(layer);
    const about = record(metadata);
    const talos = record(record(about["compatibility"])["talos"]);
    return ExtensionStatus.spec({
      image: textOf(image),
      metadata: {
        name: textOf(about["name"]),
        version: textOf(about["version"]),
        author: textOf(about["author"]),
        description: textOf(about["description"]),
        compatibility: { talos: { version: textOf(talos["version"]) } },
        extraInfo: textOf(about["extraInfo"]),
      },
    });
  });
}

const record = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
