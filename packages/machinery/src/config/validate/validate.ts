/** Validation of a whole configuration: every document alone, then documents against each other. */

import { type PlatformMode } from "../../constants/index.ts";
import type { Config, ConfigDocument } from "../config.ts";
import type { Path, Problem } from "../load/problem.ts";
import type { Check, ExpressionChecker } from "./check.ts";

/** Settings of `validateConfig`. */
export interface ValidateOptions {
  readonly mode: PlatformMode;
  /** Warnings about the main document become errors. @default false */
  readonly strict?: boolean;
  /** Checks CEL expressions; costly to load, so brought by the caller (`validateWithExpressions`). */
  readonly checkExpression?: ExpressionChecker;
}

/** Errors, which make a configuration unusable, and warnings. */
export interface ValidationResult {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** `v1alpha1.Config`, `BondConfig/bond0`, `ResolverConfig`: how messages name a document. */
function documentLabel({ kind, name, schema }: Pick<ConfigDocument, "kind" | "name" | "schema">): string {
  if (kind === "v1alpha1") return "v1alpha1.Config";
  return schema.named ? `${kind}/${name}` : kind;
}

/** Checks a configuration against the rules of its documents and the platform. */
export function validateConfig(config: Config, options: ValidateOptions): ValidationResult {
  const found: Problem[] = [];
  const conflicts: Problem[] = [];
  for (const document of config.documents) {
    const report =
      (to: Problem[], code: string, severity: Problem["severity"], label: string) => (path: Path, message: string) => {
        to.push({ code, severity, document: label, path, message, ...document.locate(path) });
      };
    const label = documentLabel(document);
    const check: Check = {
      mode: options.mode,
      main: config.main,
      error: report(found, "config/invalid", "error", label),
      warn: report(found, "config/warning", "warning", label),
      expression: (path, expression, environment, message) => {
        const problem = options.checkExpression?.(expression, environment);
        if (problem !== undefined) check.error(path, `${message}: ${problem}`);
      },
      conflict: report(conflicts, "config/conflict", "error", ""),
    };
    document.schema.validate?.(document.value, check);
  }
  const all = [...found, ...conflicts].map((problem) => (options.strict === true ? strictly(problem) : problem));
  return {
    errors: all.filter((problem) => problem.severity === "error"),
    warnings: all.filter((problem) => problem.severity === "warning"),
  };
}

function strictly(problem: Problem): Problem {
  if (problem.severity === "error" || problem.document !== "v1alpha1.Config") return problem;
  return { ...problem, severity: "error", message: `warning: ${problem.message}` };
}

/** The errors as one text in the form clients know, grouped by document. */
export function validationMessage(errors: readonly Problem[]): string {
  const groups = Map.groupBy(errors, (problem) => problem.document);
  return enumerate(
    [...groups].flatMap(([document, problems]) => {
      const messages = problems.map((problem) => problem.message);
      if (document === "") return messages;
      return [`${document}: ${document === "v1alpha1.Config" ? enumerate(messages) : messages.join("\n")}`];
    }),
  );
}

function enumerate(messages: readonly string[]): string {
  const count = messages.length === 1 ? "1 error" : `${messages.length} errors`;
  return `${count} occurred:\n${messages.map((message) => `\t* ${message}\n`).join("")}\n`;
}
