import { convert, text, wrapped, type Single } from "../dsl/index.ts";

/** A URL as text; printed taken apart, as Go prints one, and null when there is none. */
export const url: Single<string> = convert(wrapped(1, text), {
  zero: "",
  from: (value) => value,
  to: (value) => value,
  toPlain: (value) => (value === "" ? null : urlParts(value)),
});

const pattern = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(?:#(.*))?$/is;

function urlParts(value: string): Record<string, unknown> {
  const [, scheme = "", authority, path = "", query = "", fragment = ""] = pattern.exec(value) ?? [];
  const opaque = scheme !== "" && authority === undefined && !path.startsWith("/");
  const at = authority?.lastIndexOf("@") ?? -1;
  return {
    scheme: scheme.toLowerCase(),
    opaque: opaque ? path : "",
    user: at >= 0 ? {} : null,
    host: authority?.slice(at + 1) ?? "",
    path: opaque ? "" : decode(path),
    fragment: decode(fragment),
    rawquery: query.slice(1),
    rawpath: opaque ? "" : raw(path),
    rawfragment: raw(fragment),
    forcequery: query === "?",
    omithost: false,
  };
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The encoded form, only where encoding the decoded one again would not give it back. */
function raw(value: string): string {
  return encodeURI(decode(value)) === value ? "" : value;
}
