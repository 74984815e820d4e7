import { reconcileController, type Controller } from "@talos-ts/cosi";
import type { LogStore } from "../../logs/log-store.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { createConsoleEcho } from "./internal/console-echo.ts";

export interface DebugOptions {
  readonly logs: Pick<LogStore, "listen">;
  /** Gets every line, with its line end. @default the standard output, which is the console of PID 1 */
  readonly writeConsole?: (line: string) => void;
}

/** Shows the logs of services and the details of controllers on the console while `debug` is true. */
export function debugController({ logs, writeConsole = toStandardOutput }: DebugOptions): Controller {
  let listening: Disposable | undefined;
  return reconcileController({
    name: "runtime.DebugController",
    inputs: [activeConfigInput],
    outputs: [],
    async reconcile(context) {
      const wanted = (await activeConfig(context))?.main?.debug === true;
      if (wanted === (listening !== undefined)) return;
      listening?.[Symbol.dispose]();
      listening = wanted ? logs.listen(createConsoleEcho(writeConsole)) : undefined;
    },
  });
}

function toStandardOutput(line: string): void {
  process.stdout.write(line);
}
