import type { CommandEntry } from "../../command.ts";

/** Commands that compare a cluster with what is expected of one. */
export const conformanceCommands: readonly CommandEntry[] = [
  {
    name: "kubernetes",
    aliases: ["k8s"],
    summary: "Run conformance tests of Kubernetes",
    load: () => import("./kubernetes.ts"),
  },
];
