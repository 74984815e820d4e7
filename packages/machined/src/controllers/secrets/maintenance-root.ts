import type { Clock } from "@talos-ts/base";
import { exclusive, reconcileController, type Controller } from "@talos-ts/cosi";
import { MaintenanceRootSecret } from "@talos-ts/machinery/resources/secrets";
import { createRoot } from "@talos-ts/machinery/secrets";

/** The authority of the maintenance service: made once per boot, never leaves the machine. */
export function maintenanceRootController({ clock }: { readonly clock: Clock }): Controller {
  return reconcileController({
    name: "secrets.MaintenanceRootController",
    inputs: [],
    outputs: [exclusive(MaintenanceRootSecret)],
    async reconcile(context) {
      if ((await context.find(MaintenanceRootSecret, MaintenanceRootSecret.id)) !== undefined) return;
      const { pem } = await createRoot("maintenance", new Date(clock.now()));
      await context.modify(MaintenanceRootSecret, MaintenanceRootSecret.id, () =>
        MaintenanceRootSecret.spec({ ca: pem }),
      );
    },
  });
}
