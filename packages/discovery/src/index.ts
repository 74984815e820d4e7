export { runDiscoveryService, type DiscoveryServiceOptions } from "./discovery-service.ts";
export { limits } from "./limits.ts";
