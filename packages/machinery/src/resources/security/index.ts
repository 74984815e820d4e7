export { ImageVerificationRule, type ImageVerificationRuleSpec } from "./image-verification-rule.ts";
export { TUFTrustedRoot, type TUFTrustedRootSpec } from "./tuf-trusted-root.ts";
