import { readFile } from "node:fs/promises";
import { OsError } from "@talos-ts/base";
import { describeProblems, findUnsupported, loadConfig, validateWithExpressions } from "@talos-ts/machinery/config";
import { platformModes } from "@talos-ts/machinery/constants";
import type { CommandDefinition } from "../command.ts";
import { flag, textOption } from "../values.ts";

export const command: CommandDefinition = {
  description: "Checks a machine configuration as the machine would.",
  talksToNodes: false,
  options: [
    { flags: "-c, --config <path>", description: "file of the configuration", required: true },
    { flags: "-m, --mode <mode>", description: "where the machine runs", choices: platformModes, required: true },
    { flags: "--strict", description: "treat warnings as errors" },
  ],
  examples: ["talosctl validate -m container -c controlplane.yaml"],
  async run(invocation) {
    const { io } = invocation;
    const path = textOption(invocation, "config") ?? "";
    const mode = platformModes.find((each) => each === textOption(invocation, "mode")) ?? "metal";
    const config = loadConfig(await readFile(path));
    const { errors, warnings } = await validateWithExpressions(config, { mode, strict: flag(invocation, "strict") });
    for (const warning of warnings) io.err(`WARNING: ${describeProblems([warning])}\n`);
    for (const setting of findUnsupported(config)) io.err(`WARNING: ${setting}\n`);
    if (errors.length > 0) {
      const count = errors.length === 1 ? "1 error" : `${String(errors.length)} errors`;
      throw new OsError({
        kind: "invalid-argument",
        code: "config/invalid",
        message: `${describeProblems(errors)}\n${path} is not valid for ${mode} mode: ${count}`,
      });
    }
    io.out(`${path} is valid for ${mode} mode\n`);
  },
};
