import { BlockList, isIP } from "node:net";
import { OsError } from "@talos-ts/base";

/** Chooses the HTTP proxy that leads to a host; `undefined` for a direct connection. */
export type ChooseProxy = (host: string, port: number) => URL | undefined;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `HTTPS_PROXY` and `NO_PROXY` (or their lower-case spelling, which wins) as curl and programs in Go do.
 *
 * A proxy is a URL with `http` or `https`, or `host:port`; user and password in it are sent to it. `NO_PROXY` is a list, separated by
 * commas, of names (with all names below them; with a leading dot only those), addresses, networks (`10.0.0.0/8`), each with or
 * without port, or `*`. The loopback is never reached through a proxy.
 *
 * @throws {OsError} `client/bad-proxy`
 */
export function proxyFromEnvironment(env: Environment): ChooseProxy {
  const text = env["https_proxy"] ?? env["HTTPS_PROXY"] ?? "";
  if (text === "") return () => undefined;
  const proxy = parseProxy(text);
  const exceptions = (env["no_proxy"] ?? env["NO_PROXY"] ?? "")
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== "");
  return (host, port) => {
    const name = host.toLowerCase().replace(/\.$/, "");
    if (isLoopback(name) || exceptions.some((entry) => isExcepted(entry, name, port))) return undefined;
    return proxy;
  };
}

function parseProxy(text: string): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url !== null && url.hostname !== "" && ["http:", "https:"].includes(url.protocol)) return url;
  throw new OsError({
    kind: "invalid-argument",
    code: "client/bad-proxy",
    message: `Cannot use the proxy of HTTPS_PROXY: expected http://host:port or https://host:port, got ${JSON.stringify(text.replace(/\/\/.*@/, "//…@"))}`,
    next: "unset HTTPS_PROXY, or add the address of the node to NO_PROXY",
  });
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  const family = familyOf(host);
  return family !== undefined && loopback.check(host, family);
}

function isExcepted(entry: string, host: string, port: number): boolean {
  if (entry === "*") return true;
  const network = /^(.+)\/(\d{1,3})$/.exec(entry);
  if (network !== null) return contains(network[1] ?? "", Number(network[2]), host);
  const [, bracketed, plain, wanted] = /^(?:\[(.+)\]|([^:]+|[^[\]]*:[^[\]]*:.*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? "";
  if (wanted !== undefined && Number(wanted) !== port) return false;
  if (name.startsWith("*.")) return host.endsWith(name.slice(1));
  if (name.startsWith(".")) return host.endsWith(name);
  return host === name || (familyOf(name) === undefined && host.endsWith(`.${name}`));
}

function contains(address: string, prefix: number, host: string): boolean {
  const [family, own] = [familyOf(address), familyOf(host)];
  if (family === undefined || own !== family || prefix > (family === "ipv4" ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(address, prefix, family);
  return list.check(host, family);
}

function familyOf(host: string): "ipv4" | "ipv6" | undefined {
  const family = isIP(host);
  return family === 0 ? undefined : family === 4 ? "ipv4" : "ipv6";
}
