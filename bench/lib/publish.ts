import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { formatMarkdown, formatReport, type BenchReport } from "./report.ts";

const file = join(import.meta.dirname, "../../docs/benchmarks.md");

/** Prints a report as the command line asks: a table, with `--json` numbers, with `--write` also the document. */
export async function publish(name: string, report: BenchReport): Promise<void> {
  const flags = new Set(process.argv.slice(2));
  const table = flags.has("--json") ? process.stderr : process.stdout;
  table.write(`${report.title}, against ${report.peer}\n\n${formatReport(report)}\n`);
  if (flags.has("--json")) process.stdout.write(`${JSON.stringify({ name, ...report }, null, 2)}\n`);
  if (flags.has("--write")) await writeSection(name, report);
}

/** Each benchmark owns the lines between its two marks, so that one can be measured without the others. */
async function writeSection(name: string, report: BenchReport): Promise<void> {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const machine = `Measured on ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Node.js ${process.version}.`;
  const section = `${begin}\n\n${formatMarkdown(report)}\n${machine}\n\n${end}`;
  const text = await readFile(file, "utf8").catch(() => "# Benchmarks\n\nWritten by `npm run bench -- --write`.\n");
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  const present = from >= 0 && to > from;
  const next = present
    ? text.slice(0, from) + section + text.slice(to + end.length)
    : `${text.trimEnd()}\n\n${section}\n`;
  await writeFile(file, next);
}
