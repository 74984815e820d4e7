/** Lines of the kernel log carry their time in brackets. */
function timeOf(line: string): string {
  // Without its zone, so that fewer digits of a second sort before more of them.
  return /\[(\S+)Z\]/.exec(line)?.[1] ?? "";
}

/** Merges two logs that are each in order of time; of lines of the same time, those of the first come first. */
export async function* mergeByTime(
  first: AsyncIterable<string>,
  second: readonly string[],
): AsyncGenerator<string, void> {
  let at = 0;
  for await (const line of first) {
    const time = timeOf(line);
    for (let own = second[at]; own !== undefined && timeOf(own) < time; own = second[++at]) yield own;
    yield line;
  }
  yield* second.slice(at);
}

/** Joins lines, each with its end, to pieces of about this many bytes: a message for each line would cost more than the line. */
export async function* joinLines(lines: AsyncIterable<string>, pieceBytes: number): AsyncGenerator<Buffer> {
  let piece = "";
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < pieceBytes) continue;
    yield Buffer.from(piece);
    piece = "";
  }
  if (piece !== "") yield Buffer.from(piece);
}

/** Whole lines of a log that come after a known one; all of them when that one is no longer kept. */
export async function* afterLine(chunks: AsyncIterable<Buffer>, known: string): AsyncGenerator<string> {
  let rest = "";
  let isFirst = true;
  for await (const chunk of chunks) {
    const lines = `${rest}${chunk.toString()}`.split("\n");
    rest = lines.pop() ?? "";
    const from = isFirst && known !== "" ? lines.lastIndexOf(known) + 1 : 0;
    isFirst = false;
    yield* lines.slice(from);
  }
}

/** Passes values on as they arrive, from whichever source; ends when all have ended. */
export async function* mergeArriving<T>(sources: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = async (source: AsyncGenerator<T>) => ({ source, result: await source.next() });
  const pending = new Map(sources.map((source) => [source, next(source)]));
  while (pending.size > 0) {
    const { source, result } = await Promise.race(pending.values());
    if (result.done === true) pending.delete(source);
    else {
      pending.set(source, next(source));
      yield result.value;
    }
  }
}
