import type { Clock } from "@talos-ts/base";
import { runDashboard } from "../dashboard/run-dashboard.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { connectMachined } from "./connect-machined.ts";
import { consoleTerminal } from "./console-terminal.ts";

/** Time between two questions to the machine, as in Talos, in ms. */
const intervalMs = 5000;
/** Name of the machine until it has one. */
const thisMachine = "this machine";

export interface ConsoleOptions {
  /** Path of the socket of machined's API. */
  readonly socket: string;
  readonly terminal: Terminal;
  /** Asks the kernel for columns and rows of the terminal. */
  readonly windowSize: () => readonly [number, number];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Shows this machine on its console until the signal aborts. */
export async function runConsole(options: ConsoleOptions): Promise<void> {
  const { clock, signal } = options;
  await using connection = connectMachined(options.socket);
  await runDashboard({
    connection,
    nodes: [thisMachine],
    addMembers: false,
    endpoint: thisMachine,
    intervalMs,
    ownConsole: true,
    terminal: consoleTerminal(options.terminal, options.windowSize),
    clock,
    signal,
  });
}
