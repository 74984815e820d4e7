import type { CommandEntry } from "../../command.ts";

export const injectCommands: readonly CommandEntry[] = [
  {
    name: "serviceaccount",
    aliases: ["tsa"],
    summary: "Give the pods of Kubernetes manifests access to the Talos API",
    load: () => import("./serviceaccount.ts"),
  },
];
