/** Describes what a registry wants before it answers. */
export type Challenge =
  | { readonly scheme: "basic" }
  | { readonly scheme: "bearer"; readonly realm: string; readonly service: string; readonly scope: string };

const maxHeaderLength = 8192;

/**
 * Reads a `WWW-Authenticate` header: the first scheme in it that is known.
 *
 * A header can hold several schemes, and parameters are texts in quotes with escapes, so that it cannot be split at commas.
 */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  if (header === undefined || header.length > maxHeaderLength) return undefined;
  const schemes = [...header.matchAll(/(?:^|,)\s*(basic|bearer)(?=\s|,|$)/gi)];
  for (const [position, match] of schemes.entries()) {
    const scheme = (match[1] ?? "").toLowerCase();
    const start = match.index + match[0].length;
    const parameters = parseParameters(header.slice(start, schemes[position + 1]?.index ?? header.length));
    const realm = parameters.get("realm") ?? "";
    if (scheme === "basic") return { scheme: "basic" };
    if (realm === "" || !URL.canParse(realm)) continue;
    return {
      scheme: "bearer",
      realm,
      service: parameters.get("service") ?? "",
      scope: parameters.get("scope") ?? "",
    };
  }
  return undefined;
}

function parseParameters(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", quoted, plain] of text.matchAll(/([a-zA-Z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)) {
    found.set(name.toLowerCase(), quoted === undefined ? (plain ?? "") : quoted.replaceAll(/\\(.)/g, "$1"));
  }
  return found;
}
