import { createHash } from "node:crypto";
import type { Log, OsError } from "@talos-ts/base";
import { statusCodeOf, type Peer } from "@talos-ts/grpc";

/**
 * Describes what is kept of a call: who made it, what it was, for which nodes, how it ended. Never anything of its contents.
 *
 * Written as one line of JSON behind the word `audit`, so that it can be told from other lines of a log.
 */
export interface AuditRecord {
  readonly time: string;
  /** The first 16 digits of the SHA-256 of the certificate; empty without one. */
  readonly caller: string;
  readonly roles: readonly string[];
  /** Address of the caller, or of the node that forwards for it. */
  readonly from: string;
  readonly method: string;
  /** Nodes the call was for; empty for this one. */
  readonly nodes: readonly string[];
  readonly durationMs: number;
  /** gRPC status code; zero for success. */
  readonly status: number;
  /** Stable code of the error; empty for success. */
  readonly error: string;
}

export interface AuditedCall {
  readonly peer: Peer;
  readonly method: string;
  roles: readonly string[];
  nodes: readonly string[];
}

/** Starts the record of a call; the result is called once, with how it ended. */
export function beginAudit(call: AuditedCall, log: Log): (error: OsError | undefined) => void {
  const [began, time] = [performance.now(), new Date().toISOString()];
  let written = false;
  return (error) => {
    if (written) return;
    written = true;
    const record: AuditRecord = {
      time,
      caller: fingerprint(call.peer),
      roles: call.roles,
      from: call.peer.address,
      method: call.method,
      nodes: call.nodes,
      durationMs: Math.round(performance.now() - began),
      status: error === undefined ? 0 : statusCodeOf(error),
      error: error?.code ?? "",
    };
    log(`audit ${JSON.stringify(record)}`);
  };
}

const fingerprints = new WeakMap<Peer, string>();

function fingerprint(peer: Peer): string {
  const known = fingerprints.get(peer);
  if (known !== undefined) return known;
  const der = peer.tls?.certificate?.raw;
  const print = der === undefined ? "" : createHash("sha256").update(der).digest("hex").slice(0, 16);
  fingerprints.set(peer, print);
  return print;
}
