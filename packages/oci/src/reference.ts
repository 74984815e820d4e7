import { OsError } from "@talos-ts/base";
import { isDigest } from "./digest.ts";

/** Describes where an image is: a repository of a registry, and a tag or the digest of its manifest, or both. */
export interface ImageReference {
  /** Host with optional port, as in `registry.k8s.io` or `10.5.0.1:5000`. */
  readonly registry: string;
  /** Path below the registry, as in `library/busybox`. */
  readonly repository: string;
  readonly tag?: string;
  /** `algorithm:hex`; wins over the tag. */
  readonly digest?: string;
}

const defaultRegistry = "docker.io";
const legacyRegistry = "index.docker.io";
const officialPrefix = "library/";
const maxNameLength = 255;

const domainLabel = String.raw`(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])`;
const registryForm = new RegExp(String.raw`^(?:${domainLabel}(?:\.${domainLabel})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$`);
const pathForm = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const tagForm = /^\w[\w.-]{0,127}$/;

/**
 * Parses a reference and completes it: `busybox` is `docker.io/library/busybox:latest`.
 *
 * @throws invalid-argument with code `image/bad-reference`
 */
export function parseReference(text: string): ImageReference {
  const { registry, rest } = splitRegistry(text);
  const at = rest.indexOf("@");
  const named = at < 0 ? rest : rest.slice(0, at);
  const digest = at < 0 ? undefined : rest.slice(at + 1);
  const colon = named.lastIndexOf(":");
  const path = colon < 0 ? named : named.slice(0, colon);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  const repository = registry === defaultRegistry && !path.includes("/") ? `${officialPrefix}${path}` : path;
  if (!registryForm.test(registry)) throw badReference(text);
  if (path !== path.toLowerCase()) throw badReference(text, `repository name (${path}) must be lowercase`);
  if (!repository.split("/").every((part) => pathForm.test(part))) throw badReference(text);
  if (registry.length + 1 + repository.length > maxNameLength) {
    throw badReference(text, `repository name must not be more than ${String(maxNameLength)} characters`);
  }
  if (tag !== undefined && !tagForm.test(tag)) throw badReference(text);
  if (digest !== undefined && !isDigest(digest)) throw badReference(text, `invalid digest ${JSON.stringify(digest)}`);
  const name = { registry, repository };
  if (digest !== undefined) return { ...name, ...(tag === undefined ? {} : { tag }), digest };
  return { ...name, tag: tag ?? "latest" };
}

/** Writes a reference in full, as `registry/repository[:tag][@digest]`. */
export function formatReference({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
}

/** The reference of exactly this manifest in the repository of another one. */
export function withDigest({ registry, repository }: ImageReference, digest: string): ImageReference {
  return { registry, repository, digest };
}

/** The first part is a registry when it looks like a host: it has a dot or a port, or is `localhost`, or upper case. */
function splitRegistry(text: string): { readonly registry: string; readonly rest: string } {
  const slash = text.indexOf("/");
  const first = slash < 0 ? "" : text.slice(0, slash);
  const isHost = /[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase();
  if (slash < 0 || !isHost) return { registry: defaultRegistry, rest: text };
  const registry = first === legacyRegistry ? defaultRegistry : first;
  return { registry, rest: text.slice(slash + 1) };
}

function badReference(text: string, reason?: string): OsError {
  const detail = reason === undefined ? "" : `: ${reason}`;
  return new OsError({
    kind: "invalid-argument",
    code: "image/bad-reference",
    message: `failed to parse image reference ${JSON.stringify(text.slice(0, 512))}: invalid reference format${detail}`,
  });
}
