import type { CommandEntry } from "../../command.ts";

export const imageCommands: readonly CommandEntry[] = [
  {
    name: "cache-cert-gen",
    summary: "Make certificates for `cache-serve`, and the patch by which nodes trust them",
    load: () => import("./cache-cert-gen.ts"),
  },
  {
    name: "cache-create",
    summary: "Copy images into a folder that nodes use as cache",
    load: () => import("./cache-create.ts"),
  },
  { name: "cache-serve", summary: "Serve such a folder as a registry", load: () => import("./cache-serve.ts") },
  { name: "import", summary: "Load images from an archive into nodes", load: () => import("./import.ts") },
  {
    name: "k8s-bundle",
    aliases: ["default"],
    summary: "List the images of Kubernetes",
    load: () => import("./k8s-bundle.ts"),
  },
  { name: "list", aliases: ["l", "ls"], summary: "List the images on nodes", load: () => import("./list.ts") },
  { name: "pull", aliases: ["p"], summary: "Pull an image into nodes", load: () => import("./pull.ts") },
  {
    name: "remove",
    aliases: ["rm"],
    destructive: true,
    summary: "Remove an image from nodes",
    load: () => import("./remove.ts"),
  },
  { name: "talos-bundle", summary: "List the images of a release", load: () => import("./talos-bundle.ts") },
];
