import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { registryAuthsOf, registryMirrorsOf, registryTlsOf, type Config } from "@talos-ts/machinery/config";
import { registrydPort } from "@talos-ts/machinery/constants";
import { ImageCacheConfig, RegistryConfig, type RegistryConfigSpec } from "@talos-ts/machinery/resources/cri";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Address of the registry of the image cache. */
const cacheEndpoint = { endpoint: `http://127.0.0.1:${String(registrydPort)}`, overridePath: false } as const;

/** Publishes how registries are reached: what the configuration says, behind the image cache where there is one. */
export function registriesConfigController(): Controller {
  return reduceController({
    name: "cri.RegistriesConfigController",
    inputs: [activeConfigInput, weak(ImageCacheConfig, { id: ImageCacheConfig.id })],
    outputs: [exclusive(RegistryConfig)],
    async reduce(context) {
      const config = await activeConfig(context);
      const cache = await context.find(ImageCacheConfig, ImageCacheConfig.id);
      const configured = config === undefined ? RegistryConfig.spec() : configuredRegistries(config);
      const spec = cache?.spec.status === "ready" ? behindCache(configured) : configured;
      return [createResource(RegistryConfig, RegistryConfig.id, spec)];
    },
  });
}

function configuredRegistries(config: Config): RegistryConfigSpec {
  const mirrors = [...registryMirrorsOf(config)].map(([host, { endpoints, skipFallback }]) => {
    const list = endpoints.map(({ url, overridePath }) => ({ endpoint: url, overridePath }));
    return [host, { endpoints: list, skipFallback }] as const;
  });
  const tls = [...registryTlsOf(config)].map(([host, { clientIdentity, ca, insecureSkipVerify }]) => {
    return [host, { clientIdentity, ca: Buffer.from(ca), insecureSkipVerify }] as const;
  });
  return RegistryConfig.spec({
    mirrors: Object.fromEntries(mirrors),
    auths: Object.fromEntries(registryAuthsOf(config)),
    tls: Object.fromEntries(tls),
  });
}

/** Every registry, also those nobody configured, is asked for at the cache first. */
function behindCache(spec: RegistryConfigSpec): RegistryConfigSpec {
  const mirrors = { "*": { endpoints: [], skipFallback: false }, ...spec.mirrors };
  const behind = Object.entries(mirrors).map(([host, mirror]) => {
    const endpoints = [cacheEndpoint, ...mirror.endpoints];
    return [host, { endpoints, skipFallback: mirror.skipFallback }] as const;
  });
  return { ...spec, mirrors: Object.fromEntries(behind) };
}
