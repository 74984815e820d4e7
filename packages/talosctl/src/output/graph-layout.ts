/** Place of a node: columns run along the arrows, rows down. */
export interface Placed {
  readonly column: number;
  readonly row: number;
}

interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Passes over the columns, each of which moves nodes towards their neighbours. */
const sweeps = 8;

/**
 * Places the nodes of a graph in layers: every arrow leads to a later column, except those that close a cycle. Within a column, nodes stand
 * near what they are connected with.
 */
export function layOut(names: readonly string[], arrows: readonly Arrow[]): ReadonlyMap<string, Placed> {
  const known = new Set(names);
  const drawn = arrows.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  const columns = groupByColumn(names, columnsOf(names, drawn));
  const before = Map.groupBy(drawn, ({ to }) => to);
  const after = Map.groupBy(drawn, ({ from }) => from);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const rows = rowsOf(columns);
    const neighbours = (name: string): readonly string[] =>
      sweep % 2 === 0 ? (before.get(name) ?? []).map(({ from }) => from) : (after.get(name) ?? []).map(({ to }) => to);
    for (const column of columns) {
      const weight = new Map(column.map((name) => [name, average(neighbours(name), rows) ?? rows.get(name) ?? 0]));
      column.sort((a, b) => (weight.get(a) ?? 0) - (weight.get(b) ?? 0));
    }
  }
  return new Map(
    columns.flatMap((column, index) => column.map((name, row) => [name, { column: index, row }] as const)),
  );
}

/** Longest way to each node over the arrows that close no cycle. */
function columnsOf(names: readonly string[], arrows: readonly Arrow[]): ReadonlyMap<string, number> {
  const sources = Map.groupBy(arrows, ({ to }) => to);
  const columns = new Map<string, number>();
  const open = new Set<string>();
  const columnOf = (name: string): number => {
    const found = columns.get(name);
    if (found !== undefined) return found;
    open.add(name);
    let column = 0;
    for (const { from } of sources.get(name) ?? []) if (!open.has(from)) column = Math.max(column, columnOf(from) + 1);
    open.delete(name);
    columns.set(name, column);
    return column;
  };
  for (const name of names) columnOf(name);
  return columns;
}

function groupByColumn(names: readonly string[], columns: ReadonlyMap<string, number>): string[][] {
  const groups: string[][] = [];
  for (const name of names) (groups[columns.get(name) ?? 0] ??= []).push(name);
  return Array.from(groups, (group) => group ?? []);
}

function rowsOf(columns: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(columns.flatMap((column) => column.map((name, row) => [name, row] as const)));
}

function average(names: readonly string[], rows: ReadonlyMap<string, number>): number | undefined {
  if (names.length === 0) return undefined;
  return names.reduce((sum, name) => sum + (rows.get(name) ?? 0), 0) / names.length;
}
