/** As much of Go's `net/url` as configuration needs: what it refuses, and the parts validation looks at. */

export interface GoUrl {
  readonly scheme: string;
  /** Host with port. */
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
  readonly query: string;
}

function fail(text: string, reason: string): never {
  throw new Error(`parse ${JSON.stringify(text)}: ${reason}`);
}

/** @throws {Error} with Go's message when Go would refuse the text */
export function parseGoUrl(text: string): GoUrl {
  // oxlint-disable-next-line no-control-regex -- Go refuses URLs with control characters
  if (/[\u0000-\u001f\u007f]/.test(text)) fail(text, "net/url: invalid control character in URL");
  const [reference, query] = splitOnce(text.split("#", 1)[0] ?? "", "?");
  if (reference.startsWith(":")) fail(text, "missing protocol scheme");
  const schemeForm = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(reference);
  const scheme = schemeForm?.[1]?.toLowerCase() ?? "";
  const rest = schemeForm === null ? reference : (schemeForm[2] ?? "");
  if (scheme === "" && (rest.split("/", 1)[0] ?? "").includes(":")) {
    fail(text, "first path segment in URL cannot contain colon");
  }
  const badEscape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(rest);
  if (badEscape !== null) fail(text, `invalid URL escape ${JSON.stringify(badEscape[0])}`);
  if (!rest.startsWith("//")) return { scheme, host: "", hostname: "", port: "", path: rest, query };
  const [authority, path] = splitBefore(rest.slice(2), "/");
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return { scheme, host, ...splitHost(text, host), path, query };
}

function splitHost(text: string, host: string): { hostname: string; port: string } {
  if (/[ "<>\\^`{}]/.test(host))
    fail(text, `invalid character ${JSON.stringify(/[ "<>\\^`{}]/.exec(host)?.[0])} in host name`);
  if (host.startsWith("[")) {
    const end = host.lastIndexOf("]");
    if (end < 0) fail(text, "missing ']' in host");
    return { hostname: host.slice(1, end), port: portOf(text, host.slice(end + 1)) };
  }
  const colon = host.indexOf(":");
  if (colon < 0) return { hostname: host, port: "" };
  return { hostname: host.slice(0, colon), port: portOf(text, host.slice(colon)) };
}

function portOf(text: string, suffix: string): string {
  if (!/^(?::\d*)?$/.test(suffix)) fail(text, `invalid port ${JSON.stringify(suffix)} after host`);
  return suffix.slice(1);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function splitBefore(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}
