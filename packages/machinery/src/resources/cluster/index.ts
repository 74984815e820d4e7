export { Affiliate, type AffiliateSpec } from "./affiliate.ts";
export { DiscoveryConfig, type DiscoveryConfigSpec } from "./discovery-config.ts";
export { Identity, type IdentitySpec } from "./identity.ts";
export { Info, type InfoSpec } from "./info.ts";
export { Member, type MemberSpec } from "./member.ts";
