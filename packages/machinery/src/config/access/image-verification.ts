import { imageVerificationConfig } from "../documents/image-verification-config.ts";
import type { Config } from "../config.ts";
import { documentOf } from "./documents.ts";

/** A rule about images, and its place in the configuration. */
export interface ImageRule {
  /** Four digits, as the resource of the rule is called. */
  readonly id: string;
  /** Registry and repository of the images; `*` stands for any text. */
  readonly pattern: string;
  readonly action: "deny" | "skip" | "verify";
  /** The identity that has to have signed. */
  readonly keyless?: { readonly issuer: string; readonly subject: string; readonly subjectRegex: string } | undefined;
  /** The key that has to have signed, PEM. */
  readonly publicKey?: string | undefined;
}

/** Rules of the configuration, in the order in which they are looked at. */
export function imageRulesOf(config: Config): readonly ImageRule[] {
  const rules = documentOf(config, imageVerificationConfig)?.rules ?? [];
  return rules.map(({ image = "", deny, skip, keyless, publicKey }, index) => ({
    id: String(index).padStart(4, "0"),
    pattern: image,
    action: deny === true ? "deny" : skip === true ? "skip" : "verify",
    keyless:
      keyless === undefined
        ? undefined
        : { issuer: keyless.issuer ?? "", subject: keyless.subject ?? "", subjectRegex: keyless.subjectRegex ?? "" },
    publicKey: publicKey?.certificate,
  }));
}

/**
 * Finds the first rule of the configuration for an image.
 *
 * @param repository Registry and repository, without tag and digest.
 */
export function imageRuleOf(config: Config, repository: string): ImageRule | undefined {
  return imageRulesOf(config).find(({ pattern }) => matches(pattern, repository));
}

/** `*` stands for any text, also across slashes. */
function matches(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern !== "" && pattern === text;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
