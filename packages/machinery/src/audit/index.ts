export { auditCalls, AuditedCall } from "./audited-call.ts";
export { formatAuditRecord, parseAuditRecord, type AuditRecord } from "./audit-record.ts";
