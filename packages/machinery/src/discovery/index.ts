export type { SeenEndpoint } from "./announcement.ts";
export { createDiscoveryClient, type DiscoveryClient, type DiscoveryClientOptions } from "./discovery-client.ts";
