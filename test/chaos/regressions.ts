import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fault } from "./fault.ts";
import type { PlannedFault } from "./schedule.ts";

/** A schedule that broke something once; a file of `regressions/`. */
export interface Regression {
  /** Violation that it caused. */
  readonly found: string;
  /** Options of the run that found it, which give the whole schedule. */
  readonly seed: number;
  readonly faults: number;
  readonly only: readonly string[];
  /** The fault that broke it, and those right before it. */
  readonly steps: readonly RegressionStep[];
  /** True when `npm test` does it too; `npm run chaos` does all of them. */
  readonly short: boolean;
}

interface RegressionStep {
  readonly fault: string;
  readonly target: number;
}

/** Folder of schedules that broke something. */
const regressionsFolder = join(import.meta.dirname, "regressions");
/** Faults of a schedule that are kept. Earlier ones are over: the cluster was healthy after each of them. */
const keptSteps = 3;

/** Reads all that are kept, by the name of their file. @throws when one is no regression */
export async function loadRegressions(folder: string = regressionsFolder): Promise<ReadonlyMap<string, Regression>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json")).toSorted();
  const read = async (name: string): Promise<readonly [string, Regression]> => {
    const value = JSON.parse(await readFile(join(folder, name), "utf8")) as Partial<Regression>;
    if (!Array.isArray(value.steps) || value.steps.length === 0) throw new Error(`${join(folder, name)} has no steps`);
    return [name.replace(/\.json$/, ""), value as Regression];
  };
  return new Map(await Promise.all(names.map(read)));
}

/** The faults of a regression, in order. @throws when there is no such fault any more */
export function replay({ steps }: Pick<Regression, "steps">, faults: readonly Fault[]): readonly PlannedFault[] {
  return steps.map(({ fault: name, target }) => {
    const fault = faults.find((each) => each.name === name);
    if (fault === undefined) throw new Error(`Cannot replay ${JSON.stringify(name)}: no such fault`);
    return { fault, target };
  });
}

export interface BrokenRun {
  readonly seed: number;
  readonly only: readonly string[];
  readonly planned: readonly PlannedFault[];
  /** Place of the fault that broke something. */
  readonly index: number;
  readonly violations: readonly string[];
}

/** Keeps the schedule of a run that broke something. @returns the path of its file, which is to be committed with the cure */
export async function keepRegression(
  { seed, only, planned, index, violations }: BrokenRun,
  folder: string = regressionsFolder,
): Promise<string> {
  const steps = planned
    .slice(Math.max(0, index + 1 - keptSteps), index + 1)
    .map(({ fault, target }) => ({ fault: fault.name, target }));
  const regression: Regression = { found: violations.join("; "), seed, faults: index + 1, only, steps, short: false };
  const path = join(folder, `seed-${String(seed)}-${String(index + 1)}.json`);
  await mkdir(folder, { recursive: true });
  await writeFile(path, `${JSON.stringify(regression, null, 2)}\n`);
  return path;
}
