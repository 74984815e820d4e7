import type { CommandEntry } from "../../command.ts";

export const configCommands: readonly CommandEntry[] = [
  { name: "add", summary: "Add a context", load: () => import("./add.ts") },
  {
    name: "context",
    aliases: ["use-context"],
    summary: "Choose the default context",
    load: () => import("./context.ts"),
  },
  { name: "contexts", aliases: ["get-contexts"], summary: "List contexts", load: () => import("./contexts.ts") },
  {
    name: "endpoint",
    aliases: ["endpoints"],
    summary: "Set the endpoints of the context",
    load: () => import("./endpoint.ts"),
  },
  { name: "info", summary: "Show the context and its certificate", load: () => import("./info.ts") },
  { name: "merge", summary: "Add the contexts of another configuration", load: () => import("./merge.ts") },
  { name: "new", summary: "Make a configuration with another certificate", load: () => import("./new.ts") },
  { name: "node", aliases: ["nodes"], summary: "Set the nodes of the context", load: () => import("./node.ts") },
  { name: "renew", summary: "Replace the client certificate by a successor", load: () => import("./renew.ts") },
  { name: "remove", summary: "Remove contexts", load: () => import("./remove.ts") },
];
