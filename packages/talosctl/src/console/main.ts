import { OsError, systemClock } from "@talos-ts/base";
import { runDaemon } from "@talos-ts/host/daemon";
import { paths } from "@talos-ts/machinery/constants";
import { processTerminal } from "../terminal/terminal.ts";
import { runConsole } from "./run-console.ts";

// The log of a daemon goes to standard output, which is the screen here: nothing is logged but the failure that ends it.
await runDaemon("dashboard", async ({ signal }) => {
  const terminal = processTerminal(process);
  if (terminal === undefined) throw noTerminal();
  await runConsole({ socket: paths.machinedSocket, terminal, windowSize, clock: systemClock, signal });
});

/** Node.js asks the kernel for the size when it hears of this signal, which reaches only processes in the session of the terminal. */
function windowSize(): readonly [number, number] {
  process.emit("SIGWINCH", "SIGWINCH");
  return process.stdout.getWindowSize();
}

function noTerminal(): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "dashboard/no-terminal",
    message: "Cannot show the dashboard: standard input and output are not a terminal",
  });
}
