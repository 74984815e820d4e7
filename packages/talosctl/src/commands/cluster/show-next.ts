import {
  findContext,
  formatCluster,
  nextCommands,
  unconfiguredNodes,
  type ClusterPlan,
  type NextCommandOptions,
} from "@talos-ts/provision";
import type { Invocation } from "../../command.ts";
import { contextOptions } from "./cluster-options.ts";
import { textOption } from "../../values.ts";
import { viewCluster } from "./view-cluster.ts";

/** Shows a cluster as it is now and the commands to run next. */
export async function showNext(
  invocation: Invocation,
  plan: ClusterPlan,
  root: string,
  options: NextCommandOptions = {},
): Promise<void> {
  const context = options.context ?? (await findContext(plan, contextOptions(invocation)));
  // A variable of the environment is there for the next command too.
  const talosconfig = textOption(invocation, "talosconfigDestination") ?? invocation.global.talosconfig;
  const commands = nextCommands(plan, {
    ...options,
    ...(talosconfig !== undefined && talosconfig !== "" && { talosconfig }),
    ...(context !== undefined && { context }),
    unconfigured: await unconfiguredNodes(plan),
  });
  invocation.io.out(`\n${formatCluster(await viewCluster(plan.name, root))}`);
  invocation.io.err(`\nNext:\n${commands.map((line) => `  ${line}\n`).join("")}`);
}
