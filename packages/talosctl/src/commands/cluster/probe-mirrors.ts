import { describeError } from "@talos-ts/base";
import { registryAuthsOf, registryMirrorsOf, registryTlsOf, type Config } from "@talos-ts/machinery/config";
import { createRegistryClient, parseReference, type RegistrySettings } from "@talos-ts/oci";
import { createProbe, type ProbeRegistry } from "@talos-ts/provision";

export interface ProbeMirrorsOptions {
  /** Asks a registry that no configuration says anything about. @default {createProbe()} */
  readonly probe?: ProbeRegistry;
  /** Time a registry and its mirrors have to answer. @default {5000} */
  readonly timeoutMs?: number;
}

/**
 * Makes a probe that asks registries as the nodes with these configurations will: where mirrors, credentials or TLS settings are
 * configured, one of the images is looked up with them.
 */
export function probeMirrors(
  configs: readonly Config[],
  references: readonly string[],
  { probe = createProbe(), timeoutMs = 5000 }: ProbeMirrorsOptions = {},
): ProbeRegistry {
  const all = configs.map(registrySettingsOf);
  return async (host) => {
    const reference = references.find((each) => each.startsWith(`${host}/`));
    const concerned = all.filter((settings) => concerns(settings, host));
    if (reference === undefined || concerned.length === 0) return await probe(host);
    const problems = await Promise.all(
      concerned.map(async (settings) => {
        using client = createRegistryClient({ settings });
        return await client.resolve(parseReference(reference), AbortSignal.timeout(timeoutMs)).then(
          () => undefined,
          (err: unknown) => `fails, and so do its mirrors: ${describeError(err)}`,
        );
      }),
    );
    return problems.find((problem) => problem !== undefined);
  };
}

function concerns({ mirrors, auths, tls }: RegistrySettings, host: string): boolean {
  return [mirrors, auths, tls].some((table) => Object.hasOwn(table, host)) || Object.hasOwn(mirrors, "*");
}

function registrySettingsOf(config: Config): RegistrySettings {
  const mirrors = [...registryMirrorsOf(config)].map(([host, { endpoints, skipFallback }]) => {
    const list = endpoints.map(({ url, overridePath }) => ({ endpoint: url, overridePath }));
    return [host, { endpoints: list, skipFallback }] as const;
  });
  const tls = [...registryTlsOf(config)].map(([host, settings]) => {
    return [host, { ...settings, ca: Buffer.from(settings.ca) }] as const;
  });
  return {
    mirrors: Object.fromEntries(mirrors),
    auths: Object.fromEntries(registryAuthsOf(config)),
    tls: Object.fromEntries(tls),
  };
}
