import { logLine } from "@talos-ts/base";
import { superviseCluster } from "@talos-ts/provision";
import type { CommandDefinition } from "../../command.ts";
import { textOption } from "../../values.ts";

export const command: CommandDefinition = {
  description:
    "Starts nodes of a local cluster again that ended without a shutdown; `cluster create` and `cluster start` run it.",
  options: [{ flags: "--cluster-directory <folder>", description: "folder of the cluster it is for", required: true }],
  talksToNodes: false,
  async run(invocation) {
    await superviseCluster({
      directory: textOption(invocation, "clusterDirectory") ?? "",
      signal: invocation.signal,
      log: (line) => invocation.io.out(`${logLine(line, new Date())}\n`),
    });
  },
};
