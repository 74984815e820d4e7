/** Faults in any number, by the flags of `npm run chaos`; see `usage`. */
import { mkdir, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { faults } from "./faults/index.ts";
import { interruptible } from "../../scripts/lib/interruptible.ts";
import { keepRegression, loadRegressions, replay } from "./regressions.ts";
import { formatResult, formatSummary } from "./report.ts";
import { runFaults, type FaultResult } from "./run-faults.ts";
import { planFaults } from "./schedule.ts";
import { startChaos } from "./start-chaos.ts";

const usage = `npm run chaos -- [--faults <n>] [--seed <n>] [--only <fault,…>] [--output <file>] [--name <cluster>] [--subnet <cidr>]
              [--regressions] [--list]

Schedules that broke something come first, unless --only chooses faults; --regressions does nothing else.

Faults: ${faults.map(({ name, summary }) => `\n  ${name.padEnd(22)} ${summary}`).join("")}
`;

const { values } = parseArgs({
  options: {
    faults: { type: "string", default: "100" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", default: "" },
    name: { type: "string", default: "chaos" },
    subnet: { type: "string", default: "10.121.0.0/24" },
    output: { type: "string" },
    regressions: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const count = Number(values.faults);
const seed = Number(values.seed);
const only = values.only.split(",").filter((name) => name !== "");
const unknown = only.filter((name) => faults.every((fault) => fault.name !== name));
if (values.help || values.list || unknown.length > 0 || !Number.isInteger(count) || !Number.isInteger(seed)) {
  const wrong = unknown.length > 0 ? `Cannot do ${unknown.join(", ")}: no such fault\n` : "";
  process.stdout.write(wrong + usage);
  process.exit(values.help || values.list ? 0 : 2);
}

const cache = join(import.meta.dirname, "../../.cache/chaos");

await interruptible(async (signal) => {
  const started = performance.now();
  const [load = 0] = loadavg();
  const wanted = only.length === 0 ? faults : faults.filter(({ name }) => only.includes(name));
  console.log(`seed ${String(seed)}: the same schedule comes from --seed ${String(seed)} --faults ${String(count)}`);
  await using chaos = await startChaos({ name: values.name, subnet: values.subnet, seed });
  const reasons = await Promise.all(
    wanted.map(async (fault) => [fault, await fault.unavailable?.(chaos.cluster)] as const),
  );
  for (const [{ name }, reason] of reasons) if (reason !== undefined) console.log(`left out: ${name}: ${reason}`);
  const possible = reasons.flatMap(([fault, reason]) => (reason === undefined ? [fault] : []));
  const kept = only.length > 0 ? [] : [...(await loadRegressions()).values()];
  const replayed = kept
    .flatMap((regression) => replay(regression, faults))
    .filter(({ fault }) => possible.includes(fault));
  const fresh = values.regressions ? [] : planFaults({ seed, count, faults: possible });
  const planned = [...replayed, ...fresh];
  if (replayed.length > 0)
    console.log(`${String(replayed.length)} faults of ${String(kept.length)} regressions come first`);
  const results: FaultResult[] = [];
  const onResult = (result: FaultResult, index: number): void => {
    results.push(result);
    console.log(formatResult(result, index));
  };
  try {
    await runFaults({ ...chaos, planned, signal, recoveryLimitMs: 600_000, onResult });
  } finally {
    const minutes = (performance.now() - started) / 60_000;
    console.log(`\n${formatSummary(results)}\n${String(results.length)} faults in ${minutes.toFixed(1)} minutes`);
    const output = values.output ?? join(cache, `seed-${String(seed)}.json`);
    await mkdir(dirname(output), { recursive: true });
    await writeFile(output, `${JSON.stringify({ seed, count, only, load, results }, null, 1)}\n`);
  }
  const index = results.findIndex(({ violations }) => violations.length > 0);
  if (index === -1) return;
  process.exitCode = 1;
  // One that broke again is kept already.
  if (index < replayed.length) return;
  const broken = { seed, only, planned: fresh, index: Math.min(index - replayed.length, fresh.length - 1) };
  const path = await keepRegression({ ...broken, violations: results[index]?.violations ?? [] });
  console.log(`the schedule is kept as a regression: ${path}`);
});
