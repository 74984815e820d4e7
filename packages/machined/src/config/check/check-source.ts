import { OsError } from "@talos-ts/base";
import {
  diffConfigs,
  findUnsupported,
  loadConfig,
  validateWithExpressions,
  validationMessage,
  type Config,
  type ValidateOptions,
} from "@talos-ts/machinery/config";
import { checkBudgets } from "./check-budgets.ts";

/** A configuration that somebody sent, and what is to be found out about it. */
export interface CheckRequest {
  readonly data: Uint8Array;
  readonly mode: ValidateOptions["mode"];
  /** Asks for the difference to the active configuration, `active` being its text; `redact` stands in place of secrets. */
  readonly diff?: { readonly active: string | undefined; readonly redact: string | undefined };
}

/** A document in the form in which it passes between threads. */
export interface PlainDocument {
  readonly kind: string;
  readonly value: unknown;
}

export interface CheckResult {
  readonly source: string;
  readonly documents: readonly PlainDocument[];
  readonly warnings: readonly string[];
  /** Empty when nobody asked, and when nothing changes. */
  readonly diff: string;
}

/** @throws {OsError} invalid argument, with everything that is wrong */
export async function checkSource({ data, mode, diff }: CheckRequest): Promise<CheckResult> {
  const config = loadConfig(data);
  checkBudgets(config.documents.map(({ value }) => value));
  const result = await validateWithExpressions(config, { mode });
  if (result.errors.length > 0) {
    throw new OsError({
      kind: "invalid-argument",
      code: "config/invalid",
      message: validationMessage(result.errors),
      next: `talosctl validate --mode ${mode} --config <config.yaml>`,
    });
  }
  return {
    source: config.source ?? "",
    documents: config.documents.map(({ kind, value }) => ({ kind, value })),
    warnings: [...result.warnings.map(({ message }) => message), ...findUnsupported(config)],
    diff: diff === undefined ? "" : difference(diff, config),
  };
}

function difference({ active, redact }: NonNullable<CheckRequest["diff"]>, next: Config): string {
  const before = active === undefined ? undefined : loadConfig(active);
  return diffConfigs(before, next, redact === undefined ? {} : { redact });
}
