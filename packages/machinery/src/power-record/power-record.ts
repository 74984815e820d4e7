import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "@talos-ts/base";
import { readOptional, writeDurably } from "@talos-ts/host";

/** Last state of power that a machine told: it runs, it was shut down, or it is about to start anew. */
export type PowerState = "on" | "off" | "reboot";

/** Tells how the first process of a machine ended that nobody shut down; written by whoever starts it again. */
export interface Death {
  /** RFC 3339. */
  readonly time: string;
  /** As `killed by SIGKILL`. */
  readonly reason: string;
  /** Number of such ends since the machine was created. */
  readonly count: number;
  /** Time of the next start, RFC 3339. */
  readonly restartAt: string;
}

/** The machine writes this file, its host the other one; they share no other word. */
const stateFile = "state";
const deathFile = "death.json";

const states: ReadonlySet<string> = new Set<PowerState>(["on", "off", "reboot"]);

/** Reads what the machine last said; `undefined` when it never said anything. */
export async function readPowerState(directory: string): Promise<PowerState | undefined> {
  const text = (await readOptional(join(directory, stateFile)))?.toString().trim();
  return text !== undefined && states.has(text) ? (text as PowerState) : undefined;
}

/** Writes the state. Not to the disk: after a power cut of the host the old one is as true as the new one. */
export async function writePowerState(directory: string, state: PowerState): Promise<void> {
  await writeFile(join(directory, stateFile), `${state}\n`, { mode: 0o644 });
}

/**
 * Reads how the machine last ended without a shutdown.
 *
 * @param since Only an end after the machine last said something. @default any
 */
export async function readDeath(directory: string, since?: "last-state"): Promise<Death | undefined> {
  const text = (await readOptional(join(directory, deathFile)))?.toString();
  const death = text === undefined ? undefined : parseDeath(text);
  if (death === undefined || since === undefined) return death;
  const said = await stat(join(directory, stateFile)).catch(() => undefined);
  return said !== undefined && Date.parse(death.time) < said.mtimeMs ? undefined : death;
}

/** Keeps how the machine ended, on the disk. */
export async function writeDeath(directory: string, death: Death): Promise<void> {
  await writeDurably(join(directory, deathFile), `${JSON.stringify(death)}\n`, 0o644);
}

function parseDeath(text: string): Death | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const { time, reason, count, restartAt } = value;
    const whole = typeof time === "string" && typeof reason === "string" && typeof restartAt === "string";
    return whole && typeof count === "number" ? { time, reason, count, restartAt } : undefined;
  } catch {
    return undefined;
  }
}
