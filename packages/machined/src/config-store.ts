import type { Config } from "@talos-ts/machinery/config";

/** Store of the machine configuration: the active one, and the one that will be active after the next boot. */
export interface ConfigStore {
  /** Reads the active configuration; `undefined` until one was acquired. */
  current(): Promise<Config | undefined>;
  /** Makes a configuration active: controllers see it at once. */
  activate(config: Config): Promise<void>;
  /** Keeps a configuration for the next boot; a controller writes it to disk when it can. */
  keep(config: Config): Promise<void>;
  /**
   * Keeps a configuration for the next boot, and resolves once it is on disk, or at once on a machine that has no disk for it
   * yet. One that cannot be written is forgotten, and the
   * one before it stays.
   *
   * @throws {OsError} `config/not-persisted`
   */
  persist(config: Config): Promise<void>;
}
