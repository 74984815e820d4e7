/** An event of a long operation; the caller decides how to show it. */
export interface ProgressEvent {
  /** Stable name of the stage, for example `resolve packages`. */
  readonly stage: string;
  /**
   * - `start`: the stage began.
   * - `step`: something inside the stage happened; `done` and `total` count when they are known.
   * - `done`: the stage ended well.
   * - `cached`: the stage had nothing to do, because its result was there.
   */
  readonly state: "start" | "step" | "done" | "cached";
  readonly detail?: string;
  readonly done?: number;
  readonly total?: number;
}

/** Receives the events of a long operation. */
export type Progress = (event: ProgressEvent) => void;

/** Ignores progress. */
export const silent: Progress = () => {};

/** Reports the start and the end of a stage around its work; a failed stage reports no end. */
export async function inStage<T>(progress: Progress, stage: string, work: () => Promise<T>): Promise<T> {
  progress({ stage, state: "start" });
  const result = await work();
  progress({ stage, state: "done" });
  return result;
}
