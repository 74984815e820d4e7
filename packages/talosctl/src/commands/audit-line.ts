import { isRecord } from "@talos-ts/base";

/** A call as apid writes it to its log. */
export interface AuditLine {
  readonly time: string;
  readonly caller: string;
  readonly roles: readonly string[];
  readonly from: string;
  readonly method: string;
  readonly nodes: readonly string[];
  readonly durationMs: number;
  readonly status: number;
  readonly error: string;
}

/** Reads a line of the log; `undefined` for one that is not about a call. */
export function parseAuditLine(line: string): AuditLine | undefined {
  const text = /^\S+ audit (\{.*\})$/.exec(line.trimEnd())?.[1];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value["method"] === "string" ? (value as unknown as AuditLine) : undefined;
  } catch {
    return undefined;
  }
}

export interface AuditWish {
  readonly method: string | undefined;
  readonly caller: string | undefined;
  readonly role: string | undefined;
  readonly failed: boolean;
}

/** A test of calls: all that is wished for must hold. */
export function auditFilter({ method, caller, role, failed }: AuditWish): (call: AuditLine) => boolean {
  return (call) =>
    (method === undefined || call.method.toLowerCase().includes(method.toLowerCase())) &&
    (caller === undefined || call.caller.startsWith(caller.toLowerCase())) &&
    (role === undefined || call.roles.includes(role)) &&
    (!failed || call.status !== 0);
}
