import { randomBytes } from "node:crypto";
import { OsError } from "@talos-ts/base";
import { readOptional, writeDurably } from "@talos-ts/host";
import { Identity, type IdentitySpec } from "@talos-ts/machinery/resources/cluster";
import { parse, stringify } from "yaml";
import { decodeBase62, encodeBase62 } from "./base62.ts";

const nodeIdBytes = 32;

/** The identity in a file; when there is none, a fresh one, which is kept there. */
export async function loadOrCreateIdentity(path: string): Promise<IdentitySpec> {
  const kept = await readOptional(path);
  if (kept !== undefined) return parseIdentity(kept.toString(), path);
  const identity = Identity.spec({ nodeId: encodeBase62(randomBytes(nodeIdBytes)) });
  await writeDurably(path, stringify({ nodeId: identity.nodeId }), 0o600);
  return identity;
}

function parseIdentity(text: string, path: string): IdentitySpec {
  const value: unknown = parse(text);
  const nodeId = typeof value === "object" && value !== null && "nodeId" in value ? value.nodeId : undefined;
  if (typeof nodeId === "string" && nodeId !== "") return Identity.spec({ nodeId });
  throw new OsError({
    kind: "data-loss",
    code: "cluster/bad-identity",
    message: `Cannot read the identity of the node from ${path}: expected a mapping with "nodeId"`,
  });
}

/** Returns what programs expect in `/etc/machine-id`: 32 hexadecimal digits, always the same for one node. */
export function machineId({ nodeId }: IdentitySpec): string {
  return Buffer.from(decodeBase62(nodeId).subarray(0, 16)).toString("hex");
}
