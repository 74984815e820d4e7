import type { CommandEntry } from "../command.ts";
import { clusterCommands } from "./cluster/index.ts";
import { configCommands } from "./config/index.ts";

/** Every command, by name. What a command needs is loaded when it is called. */
export const commandEntries: readonly CommandEntry[] = [
  { name: "cluster", summary: "Create, show and destroy clusters on this machine", subcommands: clusterCommands },
  { name: "config", summary: "Manage the client configuration file (talosconfig)", subcommands: configCommands },
  { name: "get", aliases: ["g"], summary: "Get resources (`get rd` lists the types)", load: () => import("./get.ts") },
  { name: "logs", summary: "Retrieve logs of a service", load: () => import("./logs.ts") },
  {
    name: "service",
    aliases: ["services"],
    summary: "Show services, or start, stop and restart one",
    load: () => import("./service.ts"),
  },
  { name: "version", summary: "Print the versions of client and nodes", load: () => import("./version.ts") },
];
