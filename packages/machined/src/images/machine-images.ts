import type { Clock } from "@talos-ts/base";
import { findTyped, watchForTyped, type Logger, type State } from "@talos-ts/cosi";
import { imageRuleOf, type ImageRule } from "@talos-ts/machinery/config";
import { ImageCacheConfig, RegistryConfig } from "@talos-ts/machinery/resources/cri";
import { noRegistrySettings, type RegistrySettings } from "@talos-ts/oci";
import type { ConfigStore } from "../config-store.ts";
import { createImageStore, type ImageStore } from "./image-store.ts";

/** Time that a cache that is about to be served is waited for; then the registries are asked without it. */
const cacheTimeoutMs = 10_000;

/** The images of a machine, pulled as its configuration says at that moment. */
export function createMachineImages(machine: {
  readonly clock: Clock;
  readonly state: State;
  readonly logger: Logger;
  readonly root: string;
  readonly config: Pick<ConfigStore, "current">;
}): ImageStore {
  const { state, logger, clock, root } = machine;
  // Of the configuration itself: the resources of the rules may follow a moment later.
  const rule = async (repository: string): Promise<ImageRule | undefined> => {
    const config = await machine.config.current();
    return config === undefined ? undefined : imageRuleOf(config, repository);
  };
  const registries = async (signal?: AbortSignal): Promise<RegistrySettings> => {
    await cacheSettled(machine, signal);
    return (await findTyped(state, RegistryConfig, RegistryConfig.id))?.spec ?? noRegistrySettings;
  };
  return createImageStore({ registries, rule, log: (message) => logger.info(message), clock, root });
}

/** Waits for the image cache, which spares the way to a registry that may not even be reachable, where it is about to be served. */
async function cacheSettled({ state }: { readonly state: State }, given?: AbortSignal): Promise<void> {
  const cache = await findTyped(state, ImageCacheConfig, ImageCacheConfig.id);
  if (cache === undefined || cache.spec.status === "disabled") return;
  const timeout = AbortSignal.timeout(cacheTimeoutMs);
  const signal = given === undefined ? timeout : AbortSignal.any([timeout, given]);
  try {
    const isSettled = { test: ({ spec }: typeof cache) => spec.status !== "preparing" };
    const { spec } = await watchForTyped(state, ImageCacheConfig, ImageCacheConfig.id, isSettled, { signal });
    if (spec.status !== "ready") return;
    const isKnown = { test: ({ spec: { mirrors } }: { spec: RegistrySettings }) => Object.hasOwn(mirrors, "*") };
    await watchForTyped(state, RegistryConfig, RegistryConfig.id, isKnown, { signal });
  } catch (err) {
    if (!timeout.aborted) throw err;
  }
}
