export { KubernetesAccessConfig, type KubernetesAccessConfigSpec } from "./kubernetes-access-config.ts";
