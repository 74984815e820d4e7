import { logLine } from "@talos-ts/base";
import { runDiscoveryService } from "@talos-ts/discovery";
import type { CommandDefinition } from "../../command.ts";
import { badFlag, textOption } from "../../values.ts";

export const command: CommandDefinition = {
  description: "Runs the discovery service of a local cluster; `cluster create` and `cluster start` do it.",
  options: [
    { flags: "--listen <address>", description: "host:port", required: true },
    { flags: "--cluster-directory <folder>", description: "folder of the cluster it is for", required: true },
  ],
  talksToNodes: false,
  async run(invocation) {
    const listen = textOption(invocation, "listen") ?? "";
    const [, host, port] = /^(.+):(\d{1,5})$/.exec(listen) ?? [];
    if (host === undefined || port === undefined) throw badFlag("listen", listen, "an address and a port");
    await runDiscoveryService({
      listen: { host, port: Number(port) },
      log: (line) => invocation.io.out(`${logLine(line, new Date())}\n`),
      signal: invocation.signal,
    });
  },
};
