import type { MemberSpec } from "@talos-ts/machinery/resources/cluster";

/** A machine of the cluster, as its members know it: all that is known of one that was never reached. */
export type MemberFacts = Pick<MemberSpec, "hostname" | "machineType" | "operatingSystem" | "addresses">;

export interface ServiceFacts {
  readonly id: string;
  readonly state: string;
  /** `undefined` when nobody checks it. */
  readonly healthy: boolean | undefined;
  readonly message: string;
}

export interface ProcessFacts {
  readonly pid: number;
  readonly state: string;
  readonly threads: number;
  /** Seconds of processor time since its start. */
  readonly cpuTime: number;
  readonly memoryBytes: number;
  readonly command: string;
}

export interface DiagnosticFacts {
  readonly id: string;
  readonly message: string;
  readonly details: readonly string[];
}

/** Counters that only grow, as the kernel keeps them. */
export interface Counters {
  /** Seconds of all processors: at work, and in all. */
  readonly cpuBusy: number;
  readonly cpuTotal: number;
  /** Bytes of all links but the loopback. */
  readonly received: number;
  readonly sent: number;
  /** Bytes of all disks. */
  readonly read: number;
  readonly written: number;
}

/** Facts of a node, taken at one time. A part that could not be asked for is absent. */
export interface NodeSample {
  readonly hostname?: string;
  readonly version?: string;
  readonly stage?: string;
  readonly ready?: boolean;
  readonly unmet?: readonly string[];
  /** Role of the machine; `unknown` while it has no configuration. */
  readonly machineType?: string;
  readonly addresses?: readonly string[];
  /** Routers of default routes. */
  readonly gateways?: readonly string[];
  readonly resolvers?: readonly string[];
  readonly timeServers?: readonly string[];
  readonly clusterName?: string;
  readonly kubernetesNode?: { readonly ready: boolean; readonly schedulable: boolean };
  readonly services?: readonly ServiceFacts[];
  readonly diagnostics?: readonly DiagnosticFacts[];
  readonly bootTimeMs?: number;
  readonly processors?: { readonly count: number; readonly mhz: number };
  readonly memory?: { readonly total: number; readonly used: number };
  readonly load?: readonly [one: number, five: number, fifteen: number];
  readonly cpu?: Pick<Counters, "cpuBusy" | "cpuTotal">;
  readonly network?: Pick<Counters, "received" | "sent">;
  readonly disks?: Pick<Counters, "read" | "written">;
  readonly processes?: readonly ProcessFacts[];
}
