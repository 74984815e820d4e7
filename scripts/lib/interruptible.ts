/**
 * Runs work that makes things outside this process. The signal aborts when somebody wants it to end; the work then
 * removes what it made, however often it is asked meanwhile.
 */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const stop = (name: NodeJS.Signals): void => {
    if (!abort.signal.aborted) process.stderr.write(`${name}: removing what was made\n`);
    abort.abort();
  };
  for (const name of names) process.on(name, stop);
  // A terminal that is gone must not keep anything from being removed.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => abort.abort());
  try {
    await work(abort.signal);
  } catch (err) {
    if (!abort.signal.aborted) throw err;
    process.exitCode = 130;
  } finally {
    for (const name of names) process.off(name, stop);
  }
}
