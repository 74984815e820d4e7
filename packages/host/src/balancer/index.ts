export { createBalancer, type Balancer, type BalancerOptions } from "./balancer.ts";
export { probeTcp } from "./probe-tcp.ts";
export { createTcpBalancer, type TcpBalancer, type TcpBalancerOptions, type Upstream } from "./tcp-balancer.ts";
export type { Probe, UpstreamState } from "./upstream-health.ts";
