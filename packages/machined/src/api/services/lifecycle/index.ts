import type { ServiceImpl } from "@talos-ts/grpc";
import type { LifecycleService } from "@talos-ts/proto/machine/lifecycle";
import { install } from "./install.ts";
import type { LifecycleDependencies } from "./from-image.ts";
import { upgrade } from "./upgrade.ts";

/** Installation and upgrade of a machine that has disks of its own. */
export function lifecycleService(dependencies: LifecycleDependencies): ServiceImpl<typeof LifecycleService> {
  return { install: install(dependencies), upgrade: upgrade(dependencies) };
}
