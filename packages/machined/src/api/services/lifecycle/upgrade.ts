import type { ServiceImpl } from "@talos-ts/grpc";
import type { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import { requireOwnHardware } from "../../access/mode-support.ts";
import { imageNamespace } from "../image/image-namespace.ts";
import { fromImage, type LifecycleDependencies } from "./from-image.ts";

/** Installs another version beside the one that runs; the caller reboots. */
export function upgrade(machine: LifecycleDependencies): NonNullable<ServiceImpl<typeof LifecycleService>["upgrade"]> {
  return async function* ({ containerd, source }, { signal }) {
    requireOwnHardware(machine, `upgrade is not supported in ${machine.platform.mode} mode`);
    const namespace = imageNamespace(containerd);
    yield* fromImage(machine, source?.imageName ?? "", { namespace, signal }, (assets, tell) =>
      machine.bootLoader.install(assets, { tell, signal }),
    );
  };
}
