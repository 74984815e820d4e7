import { Worker } from "node:worker_threads";
import { signatures } from "./libc.ts";

/** An argument of a call on a thread: a plain value, or the result of an earlier call of the same list. */
export type ThreadArgument = number | bigint | Uint8Array | null | { readonly resultOf: number };

export interface ThreadCall {
  readonly name: keyof typeof signatures;
  readonly arguments: readonly ThreadArgument[];
}

export interface ThreadOutcome {
  readonly results: readonly bigint[];
  /** Index of the call that failed, if one did; calls after it were not made. */
  readonly failed?: { readonly index: number; readonly errno: number };
}

/**
 * Makes calls one after the other on a thread of their own, which ends afterwards.
 *
 * For calls that may block for long (a mount that replays a journal, an unmount that flushes) and for calls that change
 * the calling thread for good (setns, unshare). File descriptors belong to the process, so one opened there stays open.
 */
export async function callOnThread(calls: readonly ThreadCall[]): Promise<ThreadOutcome> {
  const worker = new Worker(`(${threadMain.toString()})()`, {
    eval: true,
    env: {},
    // Running from the parent's flags would load its preloads and test hooks once more.
    execArgv: ["--disable-warning=ExperimentalWarning"],
    workerData: calls.map((call) => ({ ...call, signature: signatures[call.name] })),
    trackUnmanagedFds: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadOutcome>();
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", (code) => reject(new Error(`thread ended with ${String(code)} before it answered`)));
  return promise;
}

interface ThreadTask extends ThreadCall {
  readonly signature: (typeof signatures)[keyof typeof signatures];
}

/**
 * Runs in the thread. It is carried there as text, so it stands alone: no imports, nothing from around it. That keeps it
 * working when the sources are bundled into one file.
 */
function threadMain(): void {
  const ffi = process.getBuiltinModule("node:ffi");
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const library = new ffi.DynamicLibrary(null);
  const location = library.getFunction("__errno_location", { arguments: [], return: "pointer" })();
  const results: bigint[] = [];
  let failed: { index: number; errno: number } | undefined;
  for (const [index, task] of (workerData as ThreadTask[]).entries()) {
    const call = library.getFunction(task.name, task.signature) as unknown as (
      ...args: readonly unknown[]
    ) => number | bigint | undefined;
    const args = task.arguments.map((argument, position) => {
      if (argument === null || typeof argument !== "object" || !("resultOf" in argument)) return argument;
      const value = results[argument.resultOf] ?? 0n;
      return task.signature.arguments[position]?.endsWith("64") === true ? value : Number(value);
    });
    const result = BigInt(call(...args) ?? 0);
    if (result < 0n) {
      failed = { index, errno: ffi.getInt32(location, 0) };
      break;
    }
    results.push(result);
  }
  parentPort?.postMessage(failed === undefined ? { results } : { results, failed }, []);
}
