import { isDigest } from "../digest.ts";
import { parseReference, type ImageReference } from "../reference.ts";

/** Describes what a request asks of a registry. */
export type Route =
  | { readonly kind: "health" }
  | { readonly kind: "base" }
  | { readonly kind: "manifest"; readonly reference: ImageReference }
  | { readonly kind: "blob"; readonly digest: string };

const maxPathLength = 1024;

/**
 * Reads the target of a request. Every part of it is checked against the forms of names, tags and digests, so that nothing of a
 * request ever is a path of the file system.
 *
 * The query `ns` names the registry a mirror stands in for; without it, a name that begins with a host is taken as it is, and any
 * other one is of `docker.io`.
 */
export function parseRoute(target: string): Route | undefined {
  if (target.length > maxPathLength || !URL.canParse(target, "http://registry")) return undefined;
  const { pathname, searchParams } = new URL(target, "http://registry");
  if (pathname === "/healthz") return { kind: "health" };
  if (pathname === "/v2/" || pathname === "/v2") return { kind: "base" };
  const [, name = "", kind = "", last = ""] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(decoded(pathname)) ?? [];
  if (kind === "blobs") return isDigest(last) ? { kind: "blob", digest: last } : undefined;
  if (kind !== "manifests") return undefined;
  const namespace = searchParams.get("ns") ?? "";
  const repository = namespace === "" ? name : `${namespace}/${name}`;
  try {
    const reference = parseReference(`${repository}${isDigest(last) ? "@" : ":"}${last}`);
    return { kind: "manifest", reference };
  } catch {
    return undefined;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}
