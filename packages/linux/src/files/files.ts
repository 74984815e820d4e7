/** A held lock; disposing releases it. */
export interface FileLock extends AsyncDisposable {
  readonly path: string;
}

/** Settings of a file lock (flock(2)). */
export interface LockOptions {
  /** Others may hold a shared lock too. @default {false} */
  readonly shared?: boolean;
}

/** Describes what node:fs does not offer. Errors have codes `file/<errno>`. */
export interface Files {
  /** Locks a file (made if absent) against other processes and other holders here; `undefined` if it is taken. */
  tryLock(path: string, options?: LockOptions): Promise<FileLock | undefined>;
  /** Waits for the lock. */
  lock(path: string, options?: LockOptions & { readonly signal?: AbortSignal }): Promise<FileLock>;
  /** Makes a named pipe; one that is already there is replaced. */
  makeFifo(path: string, mode: number): Promise<void>;
  /** An extended attribute, or `undefined` if the file has none of that name. Links are not followed. */
  getAttribute(path: string, name: string): Buffer | undefined;
}
