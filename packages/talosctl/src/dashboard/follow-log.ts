import { OsError, type Clock } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { createLineSplitter } from "../output/line-splitter.ts";
import { kernelLog } from "./state.ts";

/** Lines of the past to begin with. */
const pastLines = 500;
/** Time before a log that ended or failed is asked for again, in ms. */
const retryMs = 3000;

export interface FollowLogOptions {
  readonly connection: ApiConnection;
  readonly node: string;
  /** A service, or `kernel`. */
  readonly source: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Takes the lines of one message at once. @param fresh True for the first ones after a new beginning. */
  readonly onLines: (lines: readonly string[], fresh: boolean) => void;
  readonly onFailure: (message: string) => void;
}

/** Follows a log until the signal aborts; begins anew when the stream ends or fails. */
export async function followLog(options: FollowLogOptions): Promise<void> {
  const { connection, node, source, clock, signal, onLines, onFailure } = options;
  const machine = connection.service(MachineService, { node });
  while (!signal.aborted) {
    let lines: string[] = [];
    let fresh = true;
    const splitter = createLineSplitter((_node, line) => void lines.push(line));
    const flush = (): void => {
      if (lines.length > 0) onLines(lines, fresh);
      fresh = lines.length === 0 && fresh;
      lines = [];
    };
    try {
      const stream =
        source === kernelLog
          ? machine.dmesg({ follow: true, tail: false }, { signal })
          : machine.logs({ namespace: "system", id: source, follow: true, tailLines: pastLines }, { signal });
      for await (const { bytes } of stream) {
        splitter.add(node, bytes);
        flush();
      }
      splitter.flush();
      flush();
    } catch (err) {
      if (!signal.aborted) onFailure(OsError.from(err).message);
    }
    await clock.sleep(retryMs, signal).catch(() => undefined);
  }
}
