import type { Path } from "../../load/problem.ts";
import { isAddress, isPrefix } from "@talos-ts/base/net";
import { base64Problem } from "../base64.ts";
import type { Check } from "../check.ts";
import { quote } from "../rules.ts";
import type { Device } from "./network.ts";

function keyProblem(key: string): string | undefined {
  const problem = base64Problem(key);
  if (problem !== undefined) return problem;
  const { length } = Buffer.from(key, "base64");
  return length === 32 ? undefined : `wrong key ${quote(key)} length: ${length}`;
}

function hasPort(endpoint: string): boolean {
  const parts = /^(?:\[([^\]]*)\]|([^:]*)):[^:]*$/.exec(endpoint);
  return parts !== null && (parts[1] === undefined || !parts[1].includes(":") || isAddress(parts[1]));
}

export function validateWireguard(path: Path, wireguard: NonNullable<Device["wireguard"]>, check: Check): void {
  const problem = keyProblem(wireguard.privateKey ?? "");
  if (problem !== undefined) check.error([...path, "privateKey"], `private key is invalid: ${problem}`);
  for (const [index, peer] of (wireguard.peers ?? []).entries()) {
    const at = [...path, "peers", index];
    const peerProblem = keyProblem(peer.publicKey ?? "");
    if (peerProblem !== undefined) check.error([...at, "publicKey"], `public key invalid: ${peerProblem}`);
    if (peer.endpoint !== undefined && !hasPort(peer.endpoint)) {
      check.error([...at, "endpoint"], `peer endpoint ${quote(peer.endpoint)} is invalid`);
    }
    for (const network of peer.allowedIPs ?? []) {
      if (isPrefix(network)) continue;
      check.error(
        [...at, "allowedIPs"],
        `peer allowed IP ${quote(network)} is invalid: invalid CIDR address: ${network}`,
      );
    }
  }
}
