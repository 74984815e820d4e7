import type { AuditRecord } from "@talos-ts/machinery/audit";

export interface AuditWish {
  readonly method: string | undefined;
  readonly caller: string | undefined;
  readonly role: string | undefined;
  readonly failed: boolean;
}

/** A test of calls: all that is wished for must hold. */
export function auditFilter({ method, caller, role, failed }: AuditWish): (call: AuditRecord) => boolean {
  return (call) =>
    (method === undefined || call.method.toLowerCase().includes(method.toLowerCase())) &&
    (caller === undefined || call.caller.startsWith(caller.toLowerCase())) &&
    (role === undefined || call.roles.includes(role)) &&
    (!failed || call.status !== 0);
}
