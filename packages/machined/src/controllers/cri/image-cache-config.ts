import type { Clock } from "@talos-ts/base";
import { exclusive, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { imageCacheRoots } from "@talos-ts/machinery/constants";
import { ImageCacheConfig, type ImageCacheConfigSpec } from "@talos-ts/machinery/resources/cri";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { presentLayouts } from "../../images/present-layouts.ts";
import type { LogStore } from "../../logs/log-store.ts";
import type { ServiceManager } from "../../services/service-manager.ts";
import { registrydService } from "../../services/definitions/registryd.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

interface CacheMachine {
  readonly clock: Clock;
  readonly logs: LogStore;
  readonly services: Pick<ServiceManager, "load" | "start" | "unload">;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

/** Interval at which a cache that is wanted but not there is looked for. */
const lookAgainMs = 30_000;
const id = "registryd";

export interface ImageCacheOptions {
  /** @default the port that pulls expect */
  readonly port?: number;
}

/** Serves the image cache of the machine with the service `registryd` where the configuration wants it, and says when it is ready. */
export function imageCacheConfigController(machine: CacheMachine, options: ImageCacheOptions = {}): Controller {
  let missing = false;
  return reconcileController({
    name: "cri.ImageCacheConfigController",
    inputs: [activeConfigInput, weak(Service, { id })],
    outputs: [exclusive(ImageCacheConfig)],
    async reconcile(context) {
      const config = await activeConfig(context);
      if (config?.machine === undefined) return;
      const isWanted = config.machine.features?.imageCache?.localEnabled === true;
      const found = isWanted ? await presentLayouts(imageCacheRoots.map((root) => `${machine.root}${root}`)) : [];
      const isServed = isWanted && found.length > 0;
      if (isWanted && !isServed) {
        if (!missing)
          context.logger.warn("image cache is enabled, but no cache was found", { looked: imageCacheRoots });
        context.queueReconcile(lookAgainMs);
      }
      missing = isWanted && !isServed;
      if (isServed) {
        machine.services.load(registrydService(machine, options.port));
        machine.services.start(id);
      } else {
        await machine.services.unload(id);
      }
      const service = await context.find(Service, id);
      const isUp = service?.spec.running === true && service.spec.healthy;
      const spec: ImageCacheConfigSpec = {
        status: isServed ? (isUp ? "ready" : "preparing") : "disabled",
        // Nothing is copied: what is on the disk is served from where it is.
        copyStatus: isServed ? "skipped" : "unknown",
        roots: found.map((root) => root.slice(machine.root.length)),
      };
      await context.put(ImageCacheConfig, ImageCacheConfig.id, () => spec);
    },
  });
}
