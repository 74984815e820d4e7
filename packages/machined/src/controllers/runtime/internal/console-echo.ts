/** Logs whose lines are on the console anyway. */
const shown = new Set(["machined"]);
/** Of this log the console has everything but the details. */
const detailed = "controller-runtime";
const detail = "\tDEBUG\t";

/** A line that does not end is written in pieces of this size, in characters. */
const longestLine = 16_384;

/**
 * Creates a listener of logs that writes whole lines, each with the name of its log.
 *
 * @param write Gets every line, with its line end.
 */
export function createConsoleEcho(write: (line: string) => void): (id: string, chunk: Buffer) => void {
  const rests = new Map<string, string>();
  return (id, chunk) => {
    if (shown.has(id)) return;
    const lines = ((rests.get(id) ?? "") + chunk.toString()).split("\n");
    const rest = lines.pop() ?? "";
    if (rest.length > longestLine) lines.push(rest);
    rests.set(id, rest.length > longestLine ? "" : rest);
    for (const line of lines) if (id !== detailed || line.includes(detail)) write(`${id}: ${line}\n`);
  };
}
