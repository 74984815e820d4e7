/** All counters added up; texts are left out. */
export function sumOf<T extends object>(rows: readonly T[]): Partial<T> {
  const total: Record<string, bigint> = {};
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (typeof value === "bigint") total[name] = (total[name] ?? 0n) + value;
  return total as Partial<T>;
}
