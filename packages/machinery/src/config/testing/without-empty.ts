/** A value without lists and mappings that are empty, which are read back as absent, or the other way round. For tests only. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value)
    .map(([key, item]) => [key, withoutEmpty(item)] as const)
    .filter(([, item]) => typeof item !== "object" || item === null || Object.keys(item).length > 0);
  return Object.fromEntries(kept);
}
