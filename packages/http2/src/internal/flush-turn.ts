let pending: (() => void)[] = [];

/** Runs `flush` at the end of this turn of the event loop, when every input of the turn has been handled. */
export function atEndOfTurn(flush: () => void): void {
  if (pending.length === 0) setImmediate(runAll);
  pending.push(flush);
}

function runAll(): void {
  const due = pending;
  pending = [];
  for (const flush of due) flush();
}
