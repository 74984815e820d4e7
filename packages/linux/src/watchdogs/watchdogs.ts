/** Hardware watchdogs. Errors have codes `watchdog/<errno>`. */
export interface Watchdogs {
  /** Arms a watchdog: from here on it resets the machine unless it is fed in time. @param path Its device, as `/dev/watchdog0`. */
  open(path: string): Watchdog;
}

/** A watchdog that is armed. Disposing disarms it, where its driver allows that. */
export interface Watchdog extends Disposable {
  readonly path: string;
  /** Sets the time after which it resets the machine, in seconds; returns the time that the driver took, which may differ. */
  setTimeout(seconds: number): number;
  /** Starts the time anew. */
  feed(): void;
}
