import { clustersDirectory, formatCluster, type ClusterView } from "@talos-ts/provision";
import type { CommandDefinition } from "../../command.ts";
import { recordFormatOption } from "../../output/records.ts";
import { badFlag, textOption } from "../../values.ts";
import { clusterOptions } from "./cluster-options.ts";
import { viewCluster } from "./view-cluster.ts";

const formats: Readonly<Record<string, (view: ClusterView) => Promise<string>>> = {
  table: async (view) => formatCluster(view),
  json: async (view) => `${JSON.stringify(view, undefined, 2)}\n`,
  yaml: async (view) => (await import("../../output/yaml.ts")).formatYaml(view),
};

/** Provisioners by their names upstream, where these are other ones. */
const provisionerNames: Readonly<Record<string, string>> = { docker: "container" };

export const command: CommandDefinition = {
  options: [
    ...clusterOptions,
    recordFormatOption,
    {
      flags: "--provisioner <name>",
      description: "docker or qemu: refuse a cluster that is made of something else",
      hidden: true,
    },
  ],
  talksToNodes: false,
  examples: ["talosctl cluster show", "talosctl cluster show --name talos-default -o json"],
  async run(invocation) {
    const root = textOption(invocation, "state") ?? clustersDirectory();
    const view = await viewCluster(textOption(invocation, "name") ?? "", root);
    const wanted = textOption(invocation, "provisioner");
    if (wanted !== undefined && (provisionerNames[wanted] ?? wanted) !== view.provisioner)
      throw badFlag("provisioner", wanted, `that of cluster ${JSON.stringify(view.name)}, ${view.provisioner}`);
    const format = formats[textOption(invocation, "output") ?? "table"];
    invocation.io.out((await format?.(view)) ?? "");
  },
};
