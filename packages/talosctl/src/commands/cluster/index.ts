import type { CommandEntry } from "../../command.ts";

export const clusterCommands: readonly CommandEntry[] = [
  {
    name: "create",
    summary: "Create a cluster of containers",
    load: () => import("./create.ts"),
    subcommands: [
      { name: "docker", summary: "The same, by upstream's name", load: () => import("./create.ts") },
      { name: "qemu", summary: "Create a cluster of virtual machines", load: () => import("./create-qemu.ts") },
    ],
  },
  {
    name: "__discovery",
    summary: "Discovery service of a local cluster",
    hidden: true,
    load: () => import("./discovery.ts"),
  },
  {
    name: "__loadbalancer",
    summary: "Load balancer of a local cluster",
    hidden: true,
    load: () => import("./load-balancer.ts"),
  },
  {
    name: "__supervisor",
    summary: "Supervisor of the nodes of a local cluster",
    hidden: true,
    load: () => import("./supervisor.ts"),
  },
  { name: "destroy", destructive: true, summary: "Remove a cluster", load: () => import("./destroy.ts") },
  { name: "start", summary: "Start a cluster again, or nodes of it", load: () => import("./start.ts") },
  { name: "stop", destructive: true, summary: "Shut a cluster down, or nodes of it", load: () => import("./stop.ts") },
  { name: "list", aliases: ["ls"], summary: "List clusters", load: () => import("./list.ts") },
  { name: "show", summary: "Show a cluster and its nodes", load: () => import("./show.ts") },
];
