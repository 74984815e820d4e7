/** Values of META: facts about a machine that are kept outside of its configuration, by key. */
export interface MetaStore {
  /**
   * Reads the partition, as soon as it is known whether there is one. Values that were written before there was one join those of
   * the partition, and win. Values are shown as `MetaKey`.
   */
  load(signal: AbortSignal): Promise<void>;
  /** Writes values to the partition that came before it; does nothing otherwise. */
  flush(signal: AbortSignal): Promise<void>;
  /**
   * Keeps a value: on the partition, or in memory while the machine has none.
   * @throws OsError `meta/full`, `meta/key`
   */
  write(key: number, value: Buffer, signal: AbortSignal): Promise<void>;
  /** Forgets a value; `false` when there was none. */
  delete(key: number, signal: AbortSignal): Promise<boolean>;
}
