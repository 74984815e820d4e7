/** A limit of a control group; `max` for none. */
export type Limit = bigint | "max";

/** Changes to make; fields that are left out stay as they are. */
export interface CgroupLimits {
  readonly memoryMinBytes?: Limit;
  readonly memoryLowBytes?: Limit;
  readonly memoryHighBytes?: Limit;
  readonly memoryMaxBytes?: Limit;
  readonly swapMaxBytes?: Limit;
  /** Share of the processors when they are busy, 1 to 10000. */
  readonly cpuWeight?: bigint;
  /** Processor time per 100 ms in microseconds. */
  readonly cpuQuotaMicroseconds?: Limit;
  readonly maxProcesses?: Limit;
  /** List of processors, `0-3,8`. */
  readonly cpus?: string;
}

/** Usage of a control group, as its interface files report it (cgroups(7)). */
export interface CgroupStats {
  readonly memoryBytes: bigint | undefined;
  readonly cpuMicroseconds: bigint | undefined;
  readonly processes: bigint | undefined;
  /** True when any process is in it or below. */
  readonly populated: boolean;
}

/**
 * Control groups by paths such as `/system/apid`, on either version of the interface.
 *
 * Errors have codes `cgroup/<errno>`.
 */
export interface Cgroups {
  readonly version: 1 | 2;
  readonly controllers: readonly string[];
  /** Makes the group and what is missing above it; one that is there stays. */
  create(path: string): Promise<void>;
  /** Moves a process with all its threads. */
  attach(path: string, pid: number): Promise<void>;
  /** Sets limits and tells which ones this kernel has no means for. */
  setLimits(path: string, limits: CgroupLimits): Promise<readonly (keyof CgroupLimits)[]>;
  /** Processes directly in the group. */
  processes(path: string): Promise<readonly number[]>;
  /** Names of the groups directly below. */
  children(path: string): Promise<readonly string[]>;
  stats(path: string): Promise<CgroupStats>;
  /** Kills everything in the group and below, and waits until it is empty. */
  kill(path: string, signal?: AbortSignal): Promise<void>;
  /** Removes an empty group and the empty groups below. One that is not there is fine. */
  remove(path: string): Promise<void>;
}
