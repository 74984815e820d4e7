import { OsError } from "@talos-ts/base";
import {
  findUnsupported,
  loadConfig,
  validateWithExpressions,
  validationMessage,
  type Config,
  type ValidateOptions,
} from "@talos-ts/machinery/config";

export interface CheckedConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/** @throws invalid argument, with everything that is wrong */
export async function checkConfig(data: Uint8Array, mode: ValidateOptions["mode"]): Promise<CheckedConfig> {
  const config = loadConfig(data);
  const result = await validateWithExpressions(config, { mode });
  if (result.errors.length > 0) {
    throw new OsError({
      kind: "invalid-argument",
      code: "config/invalid",
      message: validationMessage(result.errors),
      next: `talosctl validate --mode ${mode} --config <config.yaml>`,
    });
  }
  return { config, warnings: [...result.warnings.map(({ message }) => message), ...findUnsupported(config)] };
}
