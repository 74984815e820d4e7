import { systemClock } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { Io } from "../command.ts";
import { createLineSplitter } from "../output/line-splitter.ts";
import type { Session } from "./session.ts";

/** Time before a machine that does not answer is asked for its log again, in ms. */
const retryMs = 1000;

/**
 * Writes what the kernels of all nodes log from now on to the error output, also across restarts of a machine, until it is
 * disposed or the signal aborts. Failures are not told: a machine that goes down ends its stream.
 */
export function showKernelLog(session: Session, io: Pick<Io, "err">, signal: AbortSignal): AsyncDisposable {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);

  async function follow(target: string | undefined): Promise<void> {
    const lines = createLineSplitter((node, line) => io.err(`${node}: kernel: ${line}\n`));
    while (!either.aborted) {
      try {
        const stream = session.one(MachineService, target).dmesg({ follow: true, tail: true }, { signal: either });
        for await (const { bytes } of stream) lines.add(target ?? session.defaultNode, bytes);
      } catch {
        // The machine is down, or not up yet.
      }
      lines.flush();
      await systemClock.sleep(retryMs, either).catch(() => undefined);
    }
  }

  const all = Promise.all(session.targets.map(follow));
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await all;
    },
  };
}
