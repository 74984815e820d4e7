/** Describes what happens to one blob of an image during a pull. */
export interface PullProgress {
  /** Digest of the blob. */
  readonly blob: string;
  readonly status: "downloading" | "downloaded" | "extracting" | "extracted" | "exists";
  /** Bytes that are there. */
  readonly offset: number;
  readonly total: number;
}

export type OnProgress = (progress: PullProgress) => void;
