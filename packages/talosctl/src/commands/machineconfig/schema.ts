import { documentSchemas, jsonSchema } from "@talos-ts/machinery/config";
import { talosVersion } from "@talos-ts/machinery/constants";
import type { CommandDefinition } from "../../command.ts";
import { textOption } from "../../values.ts";
import { writeNewFile } from "../../write-file.ts";

export const command: CommandDefinition = {
  description: "Prints the JSON schema of all configuration documents. Editors complete and check files with it.",
  talksToNodes: false,
  options: [{ flags: "-o, --output <path>", description: "file to write (default: the output)" }],
  examples: ["talosctl machineconfig schema -o talos.schema.json"],
  async run(invocation) {
    const version = talosVersion.replace(/\.\d+$/, "");
    const text = `${JSON.stringify(jsonSchema(documentSchemas(), version), undefined, 2)}\n`;
    const path = textOption(invocation, "output");
    if (path === undefined) invocation.io.out(text);
    else await writeNewFile(path, text, { force: true, mode: 0o644 });
  },
};
