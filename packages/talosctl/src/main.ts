#!/usr/bin/env node
import { commandEntries } from "./commands/index.ts";
import { processIo } from "./process-io.ts";
import { runProgram } from "./program.ts";
import { reportFailure } from "./report-failure.ts";

const abort = new AbortController();
// The first signal lets commands end their streams and remove what they made; the second one ends the process.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => abort.abort());

const options = {
  name: "talosctl",
  description: "Manages machines that run Kubernetes and have no shell, through their API",
  entries: commandEntries,
  io: processIo(process),
  signal: abort.signal,
};
let code: number | undefined;
try {
  await runProgram(options, process.argv.slice(2));
} catch (err) {
  code = reportFailure(err, options.io, abort.signal);
}
if (abort.signal.aborted) {
  // A reader that does not read must not hold up a person who wants the command to end.
  process.exit(code ?? process.exitCode ?? 0);
} else if (code !== undefined) {
  // A command that failed is over, whatever it left open; what it wrote leaves first.
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((done) => stream.write("", () => done()));
  process.exit(code);
}
