export { formatMemberId, parseMemberId } from "./member-id.ts";
