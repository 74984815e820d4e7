export { checkSnapshot, type CheckSnapshotOptions, type SnapshotStatus } from "./check-snapshot.ts";
export { formatMemberId, parseMemberId } from "./member-id.ts";
export { readMemberDatabase, type DatabaseMember, type MemberDatabase } from "./read-database.ts";
