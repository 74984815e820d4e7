import { exclusive, kindOf, reconcileController, type Controller } from "@talos-ts/cosi";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import type { ServiceManager } from "../../services/service-manager.ts";

/** Services that run, with their health, as resources; a service that does not run has none. */
export function serviceController({ services }: { readonly services: ServiceManager }): Controller {
  const reconciling = reconcileController({
    name: "v1alpha1.ServiceController",
    inputs: [],
    outputs: [exclusive(Service)],
    cleanup: [kindOf(Service)],
    async reconcile(context) {
      for (const unit of services.list()) {
        if (unit.state !== "running") continue;
        const { healthy } = unit.health;
        const spec = Service.spec({ running: true, healthy: healthy === true, unknown: healthy === undefined });
        await context.put(Service, unit.service.id, () => spec);
      }
    },
  });
  return {
    ...reconciling,
    async run(context) {
      using _listening = services.listen(() => context.queueReconcile());
      return await reconciling.run(context);
    },
  };
}
