import { imageVerificationConfig } from "../documents/image-verification-config.ts";
import type { Config } from "../config.ts";
import { documentOf } from "./documents.ts";

/** A rule about images, and its place in the configuration. */
export interface ImageRule {
  /** Four digits, as the resource of the rule is called. */
  readonly id: string;
  readonly action: "deny" | "skip" | "verify";
}

/**
 * Finds the first rule of the configuration for an image.
 *
 * @param repository Registry and repository, without tag and digest.
 */
export function imageRuleOf(config: Config, repository: string): ImageRule | undefined {
  const rules = documentOf(config, imageVerificationConfig)?.rules ?? [];
  const index = rules.findIndex(({ image = "" }) => matches(image, repository));
  const rule = rules[index];
  if (rule === undefined) return undefined;
  const action = rule.deny === true ? "deny" : rule.skip === true ? "skip" : "verify";
  return { id: String(index).padStart(4, "0"), action };
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
