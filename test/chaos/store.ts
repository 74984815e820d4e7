import type { Value } from "./history.ts";

/** A set of registers that clients share, such as etcd. Calls end by themselves within seconds. */
export interface Store {
  readonly name: string;
  /** The client of one writer: a connection of its own, which goes to another server after a failure. */
  connect(index: number): StoreClient;
  /** Whether an error says that nothing was done; otherwise nobody knows. */
  refused(err: unknown): boolean;
}

export interface StoreClient extends AsyncDisposable {
  read(key: string): Promise<Value>;
  write(key: string, value: string): Promise<void>;
  /** Writes if the register has the expected value. @returns the value that was found when it has not */
  swap(key: string, expected: Value, value: string): Promise<{ readonly found?: Value; readonly swapped: boolean }>;
}
