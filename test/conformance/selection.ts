/** Tests that are not run, and why. */
const excluded: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /\[(?:Serial|Disruptive)\]/, reason: "needs the cluster for itself, for minutes" },
  { name: /\[Slow\]/, reason: "takes minutes" },
  { name: /node-pod communication: udp/, reason: "needs nc with UDP in its image, which busybox of Debian lacks" },
];

/** Tests that are run, and those that are not with the reason. */
export interface Selection {
  readonly selected: readonly string[];
  readonly left: ReadonlyMap<string, string>;
}

/** Chooses tests by name. @param focus Only those it matches. @default all */
export function selectTests(names: readonly string[], focus?: RegExp): Selection {
  const left = new Map<string, string>();
  const selected: string[] = [];
  for (const name of names.filter((each) => focus === undefined || focus.test(each))) {
    const found = excluded.find((row) => row.name.test(name));
    if (found === undefined) selected.push(name);
    else left.set(name, found.reason);
  }
  return { selected, left };
}

/** Cuts a list into pieces of at most `size`. */
export function batches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
