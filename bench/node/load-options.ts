/** Describes the load of a comparison: how much at once, how often, how long. */
export interface LoadOptions {
  readonly concurrencies: readonly number[];
  readonly turns: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly signal: AbortSignal;
}
