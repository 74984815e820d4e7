import { isIP } from "node:net";

/** Reports whether a host of a URL, without its port, is this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}
