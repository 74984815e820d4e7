import type { PlatformMode } from "@talos-ts/machinery/constants";

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
}

export interface PlatformNetwork {
  readonly hostname: string | undefined;
  readonly resolvers: readonly string[];
  readonly instanceType: string | undefined;
}
