const unsafe: Readonly<Record<string, string>> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };

/**
 * A value as Go prints it: text, numbers and booleans as they are; lists and objects as JSON with sorted keys and with
 * the signs of HTML escaped.
 *
 * @param indent spaces per level of JSON; 0 is one line
 */
export function formatResult(value: unknown, indent = 0): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number") return formatNumber(value);
  if (typeof value !== "object") return String(value);
  return JSON.stringify(sorted(value), undefined, indent).replaceAll(/[<>&]/g, (sign) => unsafe[sign] ?? sign);
}

/** Go's shortest form: an exponent of at least two digits, from 1e21 up and below 1e-4. */
function formatNumber(value: number): string {
  const small = value !== 0 && Math.abs(value) < 1e-4;
  const text = small ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
