export { SiderolinkConfig, type SiderolinkConfigSpec } from "./siderolink-config.ts";
export { SiderolinkStatus, type SiderolinkStatusSpec } from "./siderolink-status.ts";
export { SiderolinkTunnel, type SiderolinkTunnelSpec } from "./siderolink-tunnel.ts";
