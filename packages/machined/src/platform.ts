import type { PlatformMode } from "@talos-ts/machinery/constants";
import type { Death } from "@talos-ts/machinery/power-record";

/** Describes where the machine runs: how it learns its first configuration and what it may do to the kernel. */
export interface Platform {
  /** As in `PlatformMetadata`: `container`, `metal`, … */
  readonly name: string;
  readonly mode: PlatformMode;
  /**
   * The machine configuration the platform brings, or `undefined` when it has none.
   * @throws when there is one but it cannot be read
   */
  configuration(signal: AbortSignal): Promise<Buffer | undefined>;
  /** Network configuration of the platform. */
  network(): Promise<PlatformNetwork>;
  /** How the last run ended, unless the machine was shut down or rebooted, or the platform cannot tell. */
  readonly uncleanEnd?: UncleanEnd | undefined;
}

/** End of a run that nobody asked for. */
export interface UncleanEnd {
  /** As whoever started the machine again found out; `undefined` when nobody watched, as after a power cut. */
  readonly death: Death | undefined;
}

export interface PlatformNetwork {
  readonly hostname: string | undefined;
  readonly resolvers: readonly string[];
  readonly instanceType: string | undefined;
}
