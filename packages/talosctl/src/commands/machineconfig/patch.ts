import { readFile } from "node:fs/promises";
import { applyPatches, encodePreserving, loadConfig, loadPatches } from "@talos-ts/machinery/config";
import type { CommandDefinition } from "../../command.ts";
import { listOption, textOption } from "../../values.ts";
import { writeNewFile } from "../../write-file.ts";

export const command: CommandDefinition = {
  description: "Applies patches to a machine configuration in a file. Comments and what is not changed stay.",
  talksToNodes: false,
  arguments: [{ spec: "<file>", description: "file of the configuration" }],
  options: [
    { flags: "-p, --patch <patch>", description: "patch, or @file", repeat: true },
    { flags: "-o, --output <path>", description: "file to write (default: the output)" },
  ],
  examples: ["talosctl machineconfig patch worker.yaml -p @patch.yaml -o worker-1.yaml"],
  async run(invocation) {
    const config = loadConfig(await readFile(invocation.args[0] ?? ""));
    const text = encodePreserving(applyPatches(config, loadPatches(listOption(invocation, "patch"))));
    const path = textOption(invocation, "output");
    if (path === undefined) invocation.io.out(text);
    else await writeNewFile(path, text, { force: true, mode: 0o644 });
  },
};
