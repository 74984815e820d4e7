import { join } from "node:path";
import { clustersDirectory, listClusters, readState, type ContextOptions } from "@talos-ts/provision";
import type { ArgumentDefinition, Invocation, OptionDefinition } from "../../command.ts";
import { textOption } from "../../values.ts";

/** Flags of every command about a local cluster. */
export const clusterOptions: readonly OptionDefinition[] = [
  { flags: "--name <name>", description: "name of the cluster", default: "talos-default" },
  { flags: "--state <directory>", description: "where clusters are kept (default: ~/.talos/clusters)" },
  {
    flags: "--talosconfig-destination <path>",
    description: "client configuration that has the context of the cluster",
  },
  { flags: "--talosconfig <path>", description: "the same", hidden: true },
];

/** Flag of commands that need programs of the host. */
export const installOption: OptionDefinition = {
  flags: "--install",
  description: "install Debian packages that the host lacks",
};

/** Flags of commands that start nodes. */
export const waitOptions: readonly OptionDefinition[] = [
  { flags: "--wait", description: "wait until the nodes answer and the cluster is healthy", default: true },
  { flags: "--wait-timeout <duration>", description: "how long to wait", default: "20m" },
];

/** Nodes of a cluster as arguments, with their names for the shell. */
export function nodesArgument(purpose: string): ArgumentDefinition {
  return {
    spec: "[nodes...]",
    description: `${purpose}: names, with or without that of the cluster, or addresses (default: all)`,
    async suggest() {
      // Which cluster is meant is not known while the line is being written.
      const root = clustersDirectory();
      const states = await Promise.all((await listClusters(root)).map((name) => readState(join(root, name))));
      return states.flatMap((state) => state?.plan.nodes.map(({ name }) => name) ?? []);
    },
  };
}

/** Returns where the context of the cluster is. */
export function contextOptions(invocation: Invocation): ContextOptions {
  const path = contextFile(invocation);
  return { environment: { env: invocation.io.env }, ...(path !== undefined && { path }) };
}

/** The client configuration that gets the context, even when it does not exist yet; else the first one that does. */
function contextFile(invocation: Invocation): string | undefined {
  const { global, io } = invocation;
  const given = textOption(invocation, "talosconfigDestination") ?? global.talosconfig ?? io.env["TALOSCONFIG"];
  return given === "" ? undefined : given;
}
