/**
 * Endings of plural names and their singular; the first that fits wins. These are the rules the existing names were
 * made with, so `Caches` loses two letters and `DNSResolveCaches` is shown as `DNSResolveCach`: a mistake that people
 * type by now.
 */
const endings: readonly (readonly [RegExp, string])[] = [
  [/(x|ch|ss|sh|zz|alias|gas|[^aou]us)(?:es)?$/i, "$1"],
  [/ies$/i, "y"],
  [/s$/i, ""],
];

/** The singular of a CamelCase plural; a name that is no plural stays as it is. */
export function singular(name: string): string {
  const rule = endings.find(([ending]) => ending.test(name));
  return rule === undefined ? name : name.replace(...rule);
}
