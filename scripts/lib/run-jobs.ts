import { spawn } from "node:child_process";
import { once } from "node:events";
import { interruptible } from "./interruptible.ts";
import { root } from "./step.ts";

/** A program that ends by itself, with status 0 when all is well. */
export interface Job {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Time it takes on an idle machine, in seconds: decides the order. @default {0} */
  readonly seconds?: number;
  /** True for a job that wants the machine for itself: it runs when all others are done. @default {false} */
  readonly alone?: boolean;
  /** True when its output matters only if it fails. @default {false} */
  readonly quiet?: boolean;
  /** Notes what the job makes outside its process, so that it is removed also when the job is interrupted. @default nothing */
  readonly record?: () => Promise<JobRecord>;
}

/** Record of what one job makes, of which the job knows by its environment. */
export interface JobRecord {
  readonly env: Readonly<Record<string, string>>;
  /** Removes what the job left. @returns lines that say what was */
  remove(): Promise<readonly string[]>;
}

export interface JobResult {
  readonly name: string;
  readonly ok: boolean;
  /** Time it took, in seconds. */
  readonly seconds: number;
}

/** Runs one job and resolves with its output; it ends early, and with `ok: false`, when the signal aborts. */
type RunJob = (job: Job, signal: AbortSignal) => Promise<{ readonly ok: boolean; readonly output: string }>;

export interface RunJobsOptions {
  /** Ends the jobs that run; no other is started. */
  readonly signal: AbortSignal;
  /** Jobs that run at the same time. @default {2} */
  readonly lanes?: number;
  readonly run?: RunJob;
  readonly write?: (text: string) => void;
}

/**
 * Runs jobs, two at a time, and shows the output of each as one block when it has ended. A failure stops no other job.
 *
 * The first lane takes the longest of the jobs that are left, the others take the shortest: long jobs wait for machines most of the
 * time, and two of them are rarely started at once.
 *
 * @returns the results in the order in which the jobs ended
 */
export async function runJobs(
  jobs: readonly Job[],
  { signal, lanes = 2, run = spawnJob, write = (text) => void process.stderr.write(text) }: RunJobsOptions,
): Promise<readonly JobResult[]> {
  const results: JobResult[] = [];
  const finish = async (job: Job): Promise<void> => {
    write(`▸ ${job.name} …\n`);
    const started = performance.now();
    const { ok, output } = await run(job, signal);
    const seconds = (performance.now() - started) / 1000;
    results.push({ name: job.name, ok, seconds });
    const block = job.quiet === true && ok ? "" : output.trimEnd();
    write(`${block === "" ? "" : `${block}\n`}▸ ${job.name}: ${ok ? "ok" : "failed"}, ${seconds.toFixed(1)} s\n`);
  };
  const longestFirst = jobs.toSorted((one, other) => (other.seconds ?? 0) - (one.seconds ?? 0));
  const shared = longestFirst.filter(({ alone }) => alone !== true);
  const lane = async (take: () => Job | undefined): Promise<void> => {
    for (let job = take(); job !== undefined && !signal.aborted; job = take()) await finish(job);
  };
  await Promise.all(
    Array.from({ length: lanes }, (_, index) => lane(() => (index === 0 ? shared.shift() : shared.pop()))),
  );
  const alone = longestFirst.filter((job) => job.alone === true);
  await lane(() => alone.shift());
  return results;
}

/** Runs jobs two at a time and ends this process with status 1 when one of them fails; Ctrl-C ends them. */
export async function passJobs(jobs: readonly Job[]): Promise<void> {
  await interruptible(async (signal) => {
    const results = await runJobs(jobs, { signal });
    const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
    if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`);
    if (failed.length > 0 || signal.aborted) process.exit(1);
  });
}

async function spawnJob({ command, args, env, record }: Job, signal: AbortSignal): ReturnType<RunJob> {
  const made = await record?.();
  // A session of its own: Ctrl-C reaches this program alone, which tells the job once.
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env, ...made?.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const stop = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  try {
    const [status] = (await once(child, "close")) as [number | null];
    const left = (await made?.remove()) ?? [];
    return { ok: status === 0, output: [Buffer.concat(output).toString(), ...left].join("\n") };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
