import { Worker } from "node:worker_threads";
import { OsError, systemClock, type Clock, type OsErrorInit } from "@talos-ts/base";
import { findDocument, makeConfig, makeDocument, type Config } from "@talos-ts/machinery/config";
import type { CheckRequest, CheckResult, PlainDocument } from "./check-source.ts";

/** Describes what the thread answers. */
export type CheckAnswer = { readonly result: CheckResult } | { readonly error: OsErrorInit };

export interface CheckedConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
  readonly diff: string;
}

export interface ConfigCheckerOptions {
  /** Time for one configuration, in ms. @default {5_000} */
  readonly timeoutMs?: number;
  /** Memory for one configuration, in MiB. @default {128} */
  readonly maxHeapMegabytes?: number;
  /** A thread that has nothing to do for so long is ended, in ms. @default {2_000} */
  readonly idleMs?: number;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** Reads and checks configurations from strangers, in a thread with bounds of time and memory. */
export interface ConfigChecker {
  /** @throws {OsError} what is wrong with the configuration; `config/too-expensive` when finding out takes too much */
  check(request: CheckRequest): Promise<CheckedConfig>;
}

/** The sources when they run as they are; in a bundle, the file that is made of them beside it. */
const workerUrl = import.meta.url.endsWith(".ts")
  ? new URL("./check-worker.ts", import.meta.url)
  : new URL("./config-check.mjs", import.meta.url);

export function createConfigChecker(options: ConfigCheckerOptions = {}): ConfigChecker {
  const { timeoutMs = 5000, maxHeapMegabytes = 128, idleMs = 2000, clock = systemClock } = options;
  let idle: { readonly worker: Worker; readonly used: AbortController } | undefined;
  let queue = Promise.resolve();

  async function start(): Promise<Worker> {
    const worker = new Worker(workerUrl, {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    worker.unref();
    await message(worker);
    return worker;
  }

  function keep(worker: Worker): void {
    const used = new AbortController();
    idle = { worker, used };
    worker.once("error", () => {
      if (idle?.worker === worker) idle = undefined;
    });
    clock.sleep(idleMs, used.signal).then(
      () => {
        if (idle?.worker === worker) idle = undefined;
        void worker.terminate();
      },
      () => undefined,
    );
  }

  async function ask(request: CheckRequest): Promise<CheckAnswer> {
    idle?.used.abort();
    const worker = idle?.worker ?? (await start());
    idle = undefined;
    const over = new AbortController();
    const late = clock.sleep(timeoutMs, over.signal).then(() => {
      throw tooExpensive(`it takes longer than ${String(timeoutMs)} ms`);
    });
    late.catch(() => undefined);
    try {
      // A copy: the bytes are a part of a buffer that has more in it than this request.
      worker.postMessage({ ...request, data: Uint8Array.from(request.data) }, []);
      const answer = await Promise.race([message(worker), late]);
      keep(worker);
      return answer as CheckAnswer;
    } catch (err) {
      void worker.terminate();
      const { code } = err as NodeJS.ErrnoException;
      throw code === "ERR_WORKER_OUT_OF_MEMORY"
        ? tooExpensive(`it takes more than ${String(maxHeapMegabytes)} MiB`)
        : err;
    } finally {
      over.abort();
    }
  }

  return {
    async check(request) {
      // One at a time: the bounds are for all of them together.
      const turn = queue.then(() => ask(request));
      queue = turn.then(
        () => undefined,
        () => undefined,
      );
      const answer = await turn;
      if ("error" in answer) throw new OsError(answer.error);
      const { source, documents, warnings, diff } = answer.result;
      return { config: makeConfig(documents.map(revive), { source }), warnings, diff };
    },
  };
}

/** The next message of a thread; rejects when it ends without one. */
function message(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => reject(new Error(`the thread ended with code ${String(code)}`));
    const settle = (outcome: () => void): void => {
      worker.off("error", failed).off("exit", ended).off("message", got);
      outcome();
    };
    const failed = (err: Error): void => settle(() => reject(err));
    const got = (value: unknown): void => settle(() => resolve(value));
    worker.once("error", failed).once("exit", ended).once("message", got);
  });
}

function revive({ kind, value }: PlainDocument): ReturnType<typeof makeDocument> {
  const schema = findDocument(kind);
  if (schema === undefined) throw new OsError({ kind: "internal", message: `There is no document kind "${kind}"` });
  return makeDocument(schema, value);
}

function tooExpensive(reason: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "config/too-expensive",
    message: `Cannot read the configuration: ${reason}`,
    next: "talosctl validate --mode container --config <config.yaml>",
  });
}
