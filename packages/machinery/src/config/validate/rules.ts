/** Rules several validators share; each returns the sentence that says what is wrong, or nothing. */

import { isAddress, isPrefix } from "@talos-ts/base/net";
import { parseGoUrl } from "../schema/go-url.ts";

/** The message of whatever a parser throws. */
export function failure(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export function endpointProblem(text: string): string | undefined {
  const problem = failure(() => parseGoUrl(text));
  if (problem !== undefined) return problem;
  const { host, hostname, port } = parseGoUrl(text);
  if ((host.match(/:/g) ?? []).length > 2 && !(host.includes("[") && host.includes("]"))) {
    return "IPv6 addresses MUST be enclosed by square brackets";
  }
  if (hostname === "") return "hostname must not be blank";
  if (port !== "" && (Number(port) < 1 || Number(port) > 65_535)) return "port number must be between 1 and 65535";
  return undefined;
}

/** Strips the sign that excludes a network from a list. */
export function withoutExclusion(network: string): string {
  return network.startsWith("!") ? network.slice(1) : network;
}

export function addressOrPrefixProblem(text: string): string | undefined {
  if (text.includes("/")) return isPrefix(text) ? undefined : `invalid CIDR address: ${text}`;
  return isAddress(text) ? undefined : `failed to parse IP address ${JSON.stringify(text)}`;
}

/** `[a b c]` as Go prints a list. */
export function goList(items: readonly string[]): string {
  return `[${items.join(" ")}]`;
}

export function quote(text: string | undefined): string {
  return JSON.stringify(text ?? "");
}
