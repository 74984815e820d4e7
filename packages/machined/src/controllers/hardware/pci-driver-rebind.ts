import { describeError, OsError } from "@talos-ts/base";
import { exclusive, kindOf, reconcileController, shared, weak, type Controller } from "@talos-ts/cosi";
import type { TextFiles } from "@talos-ts/linux";
import { PCIDriverRebindConfig, PCIDriverRebindStatus } from "@talos-ts/machinery/resources/hardware";
import { DevicesStatus, SettingProblem } from "@talos-ts/machinery/resources/runtime";
import type { Platform } from "../../platform.ts";
import { bindDriver, defaultDriver, driverOf } from "./internal/pci-driver.ts";

/** Time until another attempt, in ms: the module of the driver may be loaded later. */
const retryMs = 30_000;

/** Binds PCI devices to the drivers that the configuration names, and gives them back to their own. Devices are the host's in a container. */
export function pciDriverRebindController(machine: {
  readonly platform: Pick<Platform, "mode">;
  readonly linux: { readonly textFiles: TextFiles };
}): Controller {
  const { textFiles } = machine.linux;
  const bound = new Set<string>();

  async function bind(pciID: string, targetDriver: string): Promise<void> {
    if (machine.platform.mode === "container") throw unusable("devices belong to the host of a container");
    bound.add(pciID);
    if ((await driverOf(textFiles, pciID)) === targetDriver) return;
    await bindDriver(textFiles, pciID, targetDriver);
    const present = await driverOf(textFiles, pciID);
    if (present === targetDriver) return;
    throw unusable(`the device has driver ${present ?? "none"}: is the module of ${targetDriver} loaded?`);
  }

  return reconcileController({
    name: "hardware.PCIDriverRebindController",
    inputs: [weak(PCIDriverRebindConfig), weak(DevicesStatus, { id: DevicesStatus.id })],
    outputs: [exclusive(PCIDriverRebindStatus), shared(SettingProblem)],
    cleanup: [kindOf(PCIDriverRebindStatus), kindOf(SettingProblem)],
    async reconcile(context) {
      // Drivers of the host are loaded by then, so that none of them takes a device back.
      if ((await context.find(DevicesStatus, DevicesStatus.id))?.spec.ready !== true) return;
      const configs = (await context.list(PCIDriverRebindConfig)).filter(
        ({ metadata }) => metadata.phase === "running",
      );
      for (const { spec } of configs) {
        const { pciID, targetDriver } = spec;
        try {
          await bind(pciID, targetDriver);
          await context.put(PCIDriverRebindStatus, pciID, () => PCIDriverRebindStatus.spec({ pciID, targetDriver }));
        } catch (err) {
          const problem = { setting: `driver ${targetDriver} of PCI device ${pciID}`, reason: describeError(err) };
          await context.put(SettingProblem, `pci/${pciID}`, () => SettingProblem.spec(problem));
          context.queueReconcile(retryMs);
        }
      }
      const wanted = new Set(configs.map(({ spec }) => spec.pciID));
      for (const pciID of bound) {
        if (wanted.has(pciID)) continue;
        await bindDriver(textFiles, pciID, defaultDriver);
        bound.delete(pciID);
        context.logger.info("PCI device set to default", { id: pciID });
      }
    },
  });
}

function unusable(message: string): OsError {
  return new OsError({ kind: "failed-precondition", code: "pci/driver", message });
}
