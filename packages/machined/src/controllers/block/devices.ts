import { isCode } from "@talos-ts/base";
import { exclusive, type Controller } from "@talos-ts/cosi";
import type { Linux, TextFiles } from "@talos-ts/linux";
import { BlockDevice, type BlockDeviceSpec } from "@talos-ts/machinery/resources/block";
import type { Platform } from "../../platform.ts";
import { blockFolder, readBlockDevice } from "./internal/block-device.ts";

/** Publishes the block devices of the kernel and follows their changes; those of a container are the host's. */
export function devicesController(machine: {
  readonly linux: Pick<Linux, "uevents" | "textFiles">;
  readonly platform: Pick<Platform, "mode">;
}): Controller {
  const { uevents, textFiles } = machine.linux;
  return {
    name: "block.DevicesController",
    inputs: [],
    outputs: [exclusive(BlockDevice)],
    async run(context) {
      if (machine.platform.mode === "container") return;
      /** Counts the changes of each device, so that others look at it again. */
      const generations = new Map<string, number>();
      using events = await uevents.watch({ signal: context.signal });
      const follow = async (): Promise<void> => {
        for await (const event of events) {
          if (event.kind === "uevent" && event.uevent.subsystem !== "block") continue;
          const name = event.kind === "uevent" ? (event.uevent.devicePath.split("/").at(-1) ?? "") : "";
          generations.set(name, (generations.get(name) ?? 1) + 1);
          context.queueReconcile();
        }
      };
      void follow();
      for await (const _event of context.events) {
        context.startTrackingOutputs();
        for (const { name, spec } of await readAll(textFiles)) {
          await context.modify(BlockDevice, name, () => ({ ...spec, generation: generations.get(name) ?? 1 }));
        }
        await context.cleanupOutputs(exclusive(BlockDevice));
        context.resetRestartBackoff();
      }
    },
  };
}

/** Reads all devices at once; those that were taken away meanwhile are left out. */
async function readAll(
  files: TextFiles,
): Promise<readonly { readonly name: string; readonly spec: BlockDeviceSpec }[]> {
  const found = await Promise.all(
    (await files.list(blockFolder)).map(async (name) => {
      try {
        return [{ name, spec: await readBlockDevice(files, name) }];
      } catch (err) {
        if (isCode(err, "file/enoent") || isCode(err, "file/enodev")) return [];
        throw err;
      }
    }),
  );
  return found.flat();
}
