import { createHash } from "node:crypto";
import type { Log, OsError } from "@talos-ts/base";
import { statusCodeOf, type Peer } from "@talos-ts/grpc";
import { formatAuditRecord } from "@talos-ts/machinery/audit";

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
    const line = formatAuditRecord({
      time,
      caller: fingerprint(call.peer),
      roles: call.roles,
      from: call.peer.address,
      method: call.method,
      nodes: call.nodes,
      durationMs: Math.round(performance.now() - began),
      status: error === undefined ? 0 : statusCodeOf(error),
      error: error?.code ?? "",
    });
    log(line);
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
