/** Number of each operation that one round does; both sides get the same numbers. */
export interface Sizes {
  readonly resources: number;
  readonly gets: number;
  readonly updates: number;
  readonly lists: number;
  readonly watchers: number;
  readonly watchEvents: number;
  /** Changes sent through the chain one after the other. */
  readonly trips: number;
  /** Resources sent through the chain at once. */
  readonly chainItems: number;
  /** Measured rounds after one to warm up; 0 measures the memory only. */
  readonly rounds: number;
}

export const sizes: Sizes = {
  resources: 10_000,
  gets: 200_000,
  updates: 100_000,
  lists: 50,
  watchers: 100,
  watchEvents: 2000,
  trips: 2000,
  chainItems: 500,
  rounds: 3,
};

/** Output of a subject: operations per second, microseconds for trips, MiB for `rss`. */
export interface Measured {
  readonly create: number;
  readonly get: number;
  readonly update: number;
  readonly list: number;
  readonly fanOut: number;
  readonly tripP50: number;
  readonly tripP99: number;
  readonly chain: number;
}
