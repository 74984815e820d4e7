import type { ServiceImpl } from "@talos-ts/grpc";
import type { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import { openImageAssets } from "../../../boot-loader/image-assets.ts";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { requireOwnHardware } from "../../access/mode-support.ts";
import { imageNamespace } from "../image/image-namespace.ts";
import { tellProgress } from "./tell-progress.ts";

/** Describes what both methods need of the machine. */
export type LifecycleDependencies = Pick<
  ApiDependencies,
  "platform" | "images" | "linux" | "clock" | "root" | "bootLoader" | "logger" | "state"
>;

/** Installs another version beside the one that runs; the caller reboots. */
export function upgrade(machine: LifecycleDependencies): NonNullable<ServiceImpl<typeof LifecycleService>["upgrade"]> {
  return async function* ({ containerd, source }, { signal }) {
    requireOwnHardware(machine, `upgrade is not supported in ${machine.platform.mode} mode`);
    const namespace = imageNamespace(containerd);
    yield* tellProgress(async (toCaller) => {
      const tell = (message: string): void => {
        toCaller(message);
        machine.logger.info(message);
      };
      const sources = { ...machine, mounts: machine.linux.mounts };
      await using assets = await openImageAssets(sources, source?.imageName ?? "", { namespace, tell, signal });
      await machine.bootLoader.install(assets, { tell, signal });
    });
  };
}
