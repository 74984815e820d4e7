export { formatAuditRecord, parseAuditRecord, type AuditRecord } from "./audit-record.ts";
