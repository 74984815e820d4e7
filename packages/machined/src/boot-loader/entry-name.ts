/** Name of the file of a boot entry, as the UAPI specification "Automatic Boot Assessment" has it: `<id>[+<left>[-<done>]].conf`. */
export interface EntryName {
  readonly id: string;
  /** Starts that are left until the boot loader takes the entry for a bad one. Absent for an entry that is known to be good. */
  readonly triesLeft?: number;
  /** @default none */
  readonly triesDone?: number;
}

const pattern = /^(.+?)(?:\+(\d+)(?:-(\d+))?)?\.conf$/;

/** Reads a name; `undefined` for a file that is no entry. */
export function parseEntryName(file: string): EntryName | undefined {
  const match = pattern.exec(file);
  if (match === null) return undefined;
  const [, id = "", left, done] = match;
  return {
    id,
    ...(left !== undefined && { triesLeft: Number(left) }),
    ...(done !== undefined && { triesDone: Number(done) }),
  };
}

export function formatEntryName({ id, triesLeft, triesDone }: EntryName): string {
  if (triesLeft === undefined) return `${id}.conf`;
  return `${id}+${String(triesLeft)}${triesDone === undefined ? "" : `-${String(triesDone)}`}.conf`;
}
