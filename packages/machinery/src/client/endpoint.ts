import { isIPv6 } from "node:net";
import { hostPort, OsError } from "@talos-ts/base";
import { apidPort } from "../constants/index.ts";

/**
 * The target behind an endpoint as people write it: a name or address, with or without port, or a URL. Without a port
 * it is that of the API; a URL with `https` is meant for a proxy, which has the port of its scheme.
 *
 * @throws `client/bad-endpoint`
 */
export function endpointTarget(endpoint: string): string {
  const text = endpoint.trim();
  if (text.startsWith("unix:")) return text;
  const url = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(text);
  if (url !== null) return fromUrl(text, url[1] ?? "");
  if (isIPv6(text)) return hostPort(text, apidPort);
  const parts = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text);
  const host = parts?.[1];
  if (host === undefined) throw bad(endpoint);
  return `${host}:${parts?.[2] ?? apidPort}`;
}

const schemePorts: Readonly<Record<string, number>> = { https: 443, http: 80 };

function fromUrl(text: string, scheme: string): string {
  const port = schemePorts[scheme.toLowerCase()] ?? apidPort;
  // Only for schemes with a known port does the parser drop the default one; any other scheme keeps its text.
  const url = URL.parse(`https://${text.slice(scheme.length + 3)}`);
  if (url === null || url.hostname === "") throw bad(text);
  const given = /:(\d+)$/.exec(text.slice(scheme.length + 3).split("/")[0] ?? "")?.[1];
  return `${url.hostname}:${given ?? port}`;
}

/** The name or address of an endpoint, without its port. */
export function endpointHost(endpoint: string): string {
  return endpointTarget(endpoint)
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}

function bad(endpoint: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "client/bad-endpoint",
    message: `Cannot use "${endpoint}" as an endpoint: expected a name or address, with or without port, or a URL`,
    next: "talosctl config endpoint <control plane address>",
  });
}
