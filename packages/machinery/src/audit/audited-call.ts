import { createHash } from "node:crypto";
import { isoTime, OsError, type Log } from "@talos-ts/base";
import { statusCodeOf, type Peer, type ServerInterceptor } from "@talos-ts/grpc";
import { formatAuditRecord } from "./audit-record.ts";

/** The record of a call under way. */
export class AuditedCall {
  roles: readonly string[] = [];
  nodes: readonly string[] = [];
  readonly #peer: Peer;
  readonly #method: string;
  readonly #log: Log;
  readonly #beganMs = performance.now();
  readonly #time = Date.now();
  #written = false;

  constructor(peer: Peer, method: string, log: Log) {
    this.#peer = peer;
    this.#method = method;
    this.#log = log;
  }

  /** Writes the record; only the first call counts. */
  ended(error: OsError | undefined): void {
    if (this.#written) return;
    this.#written = true;
    const line = formatAuditRecord({
      time: isoTime(this.#time),
      caller: fingerprint(this.#peer),
      roles: this.roles,
      from: this.#peer.address,
      method: this.#method,
      nodes: this.nodes,
      durationMs: Math.round(performance.now() - this.#beganMs),
      status: error === undefined ? 0 : statusCodeOf(error),
      error: error?.code ?? "",
    });
    this.#log(line);
  }
}

/** Writes the record of every call that a server serves itself. */
export function auditCalls(log: Log): ServerInterceptor {
  return async ({ peer, method }, next) => {
    const audited = new AuditedCall(peer, method.path, log);
    try {
      await next();
      audited.ended(undefined);
    } catch (err) {
      audited.ended(OsError.from(err));
      throw err;
    }
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
