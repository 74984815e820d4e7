import { contextInfo, type ContextInfo } from "@talos-ts/machinery/talosconfig";
import type { CommandDefinition } from "../../command.ts";
import { textOption } from "../../values.ts";
import { readTalosconfig } from "./edit-talosconfig.ts";

const formats: Readonly<Record<string, (info: ContextInfo) => Promise<string>>> = {
  text: async (info) => formatText(info),
  json: async (info) => `${JSON.stringify(info, undefined, 2)}\n`,
  yaml: async (info) => (await import("../../output/yaml.ts")).formatYaml(info),
};

export const command: CommandDefinition = {
  options: [
    { flags: "-o, --output <format>", description: "output format", choices: Object.keys(formats), default: "text" },
  ],
  examples: ["talosctl config info", "talosctl config info -o json"],
  async run(invocation) {
    const info = contextInfo(await readTalosconfig(invocation), new Date(), invocation.global.context);
    const format = formats[textOption(invocation, "output") ?? "text"] ?? formats["text"];
    invocation.io.out((await format?.(info)) ?? "");
  },
};

function formatText(info: ContextInfo): string {
  const list = (values: readonly string[]): string => (values.length > 0 ? values.join(", ") : "not defined");
  const rows = [
    ["Current context:", info.context],
    ["Nodes:", list(info.nodes)],
    ["Endpoints:", list(info.endpoints)],
    ...(info.roles.length > 0 ? [["Roles:", info.roles.join(", ")]] : []),
    ...(info.certTTL === "" ? [] : [["Certificate expires:", `${info.certTTL} (${info.certNotAfter})`]]),
  ];
  return rows.map(([name = "", value = ""]) => `${name.padEnd(20)} ${value}\n`).join("");
}
