/** Files both sides read, and how often each operation is done in one round. */
export interface Work {
  /** The configuration of a control plane, as generated. */
  readonly small: string;
  /** The same with many more documents. */
  readonly large: string;
  /** A strategic merge patch for both. */
  readonly patch: string;
  /** The secrets that configurations are generated from. */
  readonly secrets: string;
  readonly smallTimes: number;
  readonly largeTimes: number;
  readonly generateTimes: number;
  /** With new secrets every time; how long one takes is up to chance. */
  readonly secretsTimes: number;
  /** Measured rounds after one to warm up. */
  readonly rounds: number;
}

export const counts: Pick<Work, "smallTimes" | "largeTimes" | "generateTimes" | "secretsTimes" | "rounds"> = {
  smallTimes: 100,
  largeTimes: 3,
  generateTimes: 50,
  secretsTimes: 6,
  rounds: 5,
};

/** Output of a subject: milliseconds per operation, and what both sides must agree on. */
export interface Measured {
  /** The first load of a process: what a command pays. */
  readonly first: number;
  readonly smallLoad: number;
  readonly smallValidate: number;
  readonly smallEncode: number;
  readonly smallPatch: number;
  readonly largeLoad: number;
  readonly largeValidate: number;
  readonly largeEncode: number;
  readonly largePatch: number;
  readonly generate: number;
  readonly withSecrets: number;
  /** SHA-256 of the patched large configuration, written. */
  readonly digest: string;
}
