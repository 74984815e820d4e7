import { constants } from "node:os";
import type { ExitStatus } from "@talos-ts/linux";
import type { DeathEvidence } from "../provisioner.ts";

/** Some numbers have a second, older name: the first one counts. */
const signalNames = new Map(
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/** Last words of Node.js before it aborts, as for a heap that is full. */
const fatal = /^.*FATAL ERROR: (?<words>.+)$/gm;

/** Says in a few words why the first process of a node ended; what tells most stands first. */
export function deathReason(status: ExitStatus | undefined, evidence: DeathEvidence): string {
  const { memoryLimitBytes, outOfMemory, console } = evidence;
  if (outOfMemory)
    return `killed by the kernel: out of memory (limit ${String(Math.round(memoryLimitBytes / 1024 ** 2))} MiB)`;
  const how = describeStatus(status);
  const words = [...console.matchAll(fatal)].at(-1)?.groups?.["words"];
  return words === undefined ? how : `${how}: ${words.trim()}`;
}

function describeStatus(status: ExitStatus | undefined): string {
  if (status === undefined) return "ended, with a status that this kernel does not tell";
  if (status.signal !== undefined)
    return `killed by ${signalNames.get(status.signal) ?? `signal ${String(status.signal)}`}`;
  return `exited with status ${String(status.exitCode)}`;
}
