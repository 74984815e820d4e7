import { isRecord } from "@talos-ts/base";

/** Record of a call: who made it, what it was, for which nodes, how it ended. Never anything of its contents. */
export interface AuditRecord {
  /** ISO 8601, in UTC. */
  readonly time: string;
  /** The first 16 digits of the SHA-256 of the certificate; empty without one. */
  readonly caller: string;
  readonly roles: readonly string[];
  /** Address of the caller, or of the node that forwards for it. */
  readonly from: string;
  readonly method: string;
  /** Nodes the call was for; empty for the one that served it. */
  readonly nodes: readonly string[];
  readonly durationMs: number;
  /** gRPC status code; zero for success. */
  readonly status: number;
  /** Stable code of the error; empty for success. */
  readonly error: string;
}

/** Formats a record as the text of a line of a log: JSON behind the word `audit`, so that it can be told from other lines. */
export function formatAuditRecord(record: AuditRecord): string {
  const { time, nodes, durationMs, status, error } = record;
  const targets = nodes.length === 0 ? "[]" : JSON.stringify(nodes);
  const code = error === "" ? '""' : JSON.stringify(error);
  const outcome = `"durationMs":${String(durationMs)},"status":${String(status)},"error":${code}`;
  return `audit {"time":"${time}",${originText(record)},"nodes":${targets},${outcome}}`;
}

type Origin = Pick<AuditRecord, "caller" | "roles" | "from" | "method">;

let lastOrigin: Origin = { caller: "", roles: [], from: "", method: "" };
let lastOriginText = membersOf(lastOrigin);

/** The members of a record that say who called what. A caller that calls often calls the same method: its text is kept. */
function originText({ caller, roles, from, method }: Origin): string {
  const { caller: lastCaller, roles: lastRoles, from: lastFrom, method: lastMethod } = lastOrigin;
  if (caller !== lastCaller || roles !== lastRoles || from !== lastFrom || method !== lastMethod) {
    lastOrigin = { caller, roles, from, method };
    lastOriginText = membersOf(lastOrigin);
  }
  return lastOriginText;
}

/** JSON of an object without its braces. */
function membersOf(origin: Origin): string {
  return JSON.stringify(origin).slice(1, -1);
}

/** Reads a line of the log, with its time; `undefined` for one that is not about a call. */
export function parseAuditRecord(line: string): AuditRecord | undefined {
  const text = /^\S+ audit (\{.*\})$/.exec(line.trimEnd())?.[1];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value["method"] === "string" ? (value as unknown as AuditRecord) : undefined;
  } catch {
    return undefined;
  }
}
