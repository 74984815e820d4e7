/** Faults in any number, by the flags of `npm run chaos`; see `usage`. */
import { mkdir, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { faults } from "./faults/index.ts";
import { interruptible } from "../../scripts/lib/interruptible.ts";
import { formatResult, formatSummary } from "./report.ts";
import { runFaults, type FaultResult } from "./run-faults.ts";
import { planFaults } from "./schedule.ts";
import { startChaos } from "./start-chaos.ts";

const usage = `npm run chaos -- [--faults <n>] [--seed <n>] [--only <fault,…>] [--output <file>] [--name <cluster>] [--subnet <cidr>] [--list]

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
  const planned = planFaults({ seed, count, faults: possible });
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
    const kept = join(import.meta.dirname, `../../.cache/chaos/seed-${String(seed)}.json`);
    const output = values.output ?? kept;
    await mkdir(dirname(output), { recursive: true });
    await writeFile(output, `${JSON.stringify({ seed, count, only, load, results }, null, 1)}\n`);
  }
  if (results.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
});
