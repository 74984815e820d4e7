import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeError } from "@talos-ts/base";
import { weak, type Controller, type Logger } from "@talos-ts/cosi";
import { ExtensionServiceConfigStatus } from "@talos-ts/machinery/resources/runtime";
import { extensionService, type ExtensionMachine } from "../../extensions/extension-service.ts";
import { serviceId, serviceSpecFolder } from "../../extensions/paths.ts";
import { parseExtensionService, type ExtensionServiceSpec } from "../../extensions/service-spec.ts";
import type { ServiceManager } from "../../services/service-manager.ts";

/** Starts the services of system extensions, and starts them anew when their configuration changes. */
export function extensionServiceController(
  machine: ExtensionMachine & { readonly services: ServiceManager },
): Controller {
  const { services } = machine;
  return {
    name: "runtime.ExtensionServiceController",
    inputs: [weak(ExtensionServiceConfigStatus)],
    outputs: [],
    async run(context) {
      const specs = await loadSpecs(`${machine.root}${serviceSpecFolder}`, context.logger);
      if (specs.length === 0) return;
      /** Version of the configuration that each service was started with. */
      let versions: ReadonlyMap<string, string> | undefined;
      for await (const _event of context.events) {
        const statuses = (await context.list(ExtensionServiceConfigStatus)).filter(
          ({ metadata }) => metadata.phase === "running",
        );
        const current = new Map(statuses.map(({ metadata, spec }) => [metadata.id, spec.specVersion]));
        if (versions === undefined) {
          services.load(...specs.map((spec) => extensionService(machine, spec)));
          services.start(...specs.map(({ name }) => serviceId(name)));
        } else {
          for (const spec of specs) {
            const [before, after] = [versions.get(spec.name), current.get(spec.name)];
            if (before === after || (before === undefined && isWaiting(spec))) continue;
            context.logger.warn("extension service config changed, restarting", { service: serviceId(spec.name) });
            await services.stop(serviceId(spec.name));
            services.start(serviceId(spec.name));
          }
        }
        versions = current;
        context.resetRestartBackoff();
      }
    },
  };

  /** A service that waits for its configuration starts by itself once there is one. */
  function isWaiting(spec: ExtensionServiceSpec): boolean {
    const waits = spec.depends.some(({ kind }) => kind === "configuration");
    return waits && services.get(serviceId(spec.name)).state === "waiting";
  }
}

async function loadSpecs(folder: string, logger: Logger): Promise<ExtensionServiceSpec[]> {
  const names = await readdir(folder).catch((err: unknown): string[] => {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw err;
  });
  const specs = new Map<string, ExtensionServiceSpec>();
  for (const file of names.filter((name) => name.endsWith(".yaml")).sort()) {
    try {
      const spec = parseExtensionService(await readFile(join(folder, file), "utf8"), file);
      if (specs.has(spec.name)) logger.error("duplicate service spec", { filename: file, name: spec.name });
      else specs.set(spec.name, spec);
    } catch (err) {
      logger.error("error loading extension service spec", { filename: file, error: describeError(err) });
    }
  }
  return [...specs.values()];
}
