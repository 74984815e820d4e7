import type { Choice } from "./choose-survivor.ts";

/** Says in whole lines who is proposed, what is lost, and what nobody can know. */
export function describeChoice(choice: Choice): readonly string[] {
  const { survivor, warnings } = choice;
  const name = survivor.name === "" ? survivor.member : survivor.name;
  return [
    `survivor: ${survivor.node} (${name}), revision ${String(survivor.revision)}, ${String(survivor.keys)} keys`,
    `lost: ${lostOf(choice)}`,
    ...unknownOf(choice).map((line) => `unknown: ${line}`),
    ...warnings.map((line) => `WARNING: ${line}`),
  ];
}

function lostOf({ lost, highest, unread, mayHaveMore, survivor }: Choice): string {
  if (lost > 0) {
    return `${revisions(lost)}, from ${String(survivor.revision + 1)} to ${String(highest)}, which another member has`;
  }
  if (mayHaveMore) return "no revision of those that could be read";
  const sure = survivor.uncommittedEntries === 0 ? "" : ", except for what is unknown";
  return unread.length === 0
    ? `nothing that was acknowledged${sure}`
    : `nothing that was acknowledged${sure}: every such write is on a member that was read`;
}

function unknownOf({ unread, mayHaveMore, survivor }: Choice): readonly string[] {
  const lines: string[] = [];
  if (mayHaveMore) {
    lines.push(
      `${unread.join(", ")} could not be read, and may have acknowledged newer writes without the others; those are lost`,
    );
  }
  if (survivor.uncommittedEntries > 0) {
    lines.push(
      `the log of the survivor ends with ${entries(survivor.uncommittedEntries)} not known as acknowledged, which would be lost`,
    );
  }
  if (survivor.uncommittedEntries < 0) {
    lines.push(
      "whether the log of the survivor ends with entries that are not known as committed, which would be lost; --rehearse tells",
    );
  }
  return lines;
}

function entries(count: number): string {
  return count === 1 ? "1 entry" : `${String(count)} entries`;
}

function revisions(count: number): string {
  return count === 1 ? "1 revision" : `${String(count)} revisions`;
}
