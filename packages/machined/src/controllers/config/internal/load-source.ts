import { OsError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import { loadConfig, validateConfig, validationMessage, type Config } from "@talos-ts/machinery/config";
import { type PlatformMode } from "@talos-ts/machinery/constants";

/** A configuration that cannot be used: why, and at which of the two hurdles it fell. */
export interface BrokenConfig {
  readonly hurdle: "load" | "validation";
  readonly message: string;
}

export type LoadedSource = { readonly config: Config } | { readonly broken: BrokenConfig };

/** Describes what to call a source in messages: `on-disk config`, `config acquired via platform container`. */
export interface SourceText {
  readonly loading: string;
  readonly validating: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Reads and checks a configuration; what is wrong with it is a result, not an exception. */
export function loadSource(bytes: Uint8Array, text: SourceText, mode: PlatformMode, logger: Logger): LoadedSource {
  try {
    if (bytes.length === 0) throw new OsError({ kind: "invalid-argument", message: "it is empty" });
    const config = loadConfig(bytes);
    const { errors, warnings } = validateConfig(config, { mode });
    for (const warning of warnings)
      logger.warn("config validation warning", { ...text.fields, warning: warning.message });
    if (errors.length === 0) return { config };
    return {
      broken: { hurdle: "validation", message: `failed to validate ${text.validating}: ${validationMessage(errors)}` },
    };
  } catch (err) {
    const { message } = OsError.from(err);
    return { broken: { hurdle: "load", message: `failed to load ${text.loading}: ${message}` } };
  }
}
