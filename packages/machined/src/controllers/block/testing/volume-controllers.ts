import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Controller } from "@talos-ts/cosi";
import { controllerTest, type ControllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { createLogger } from "../../../logs/logger.ts";
import { testMachine } from "../../internal/testing.ts";
import { mountController } from "../mount.ts";
import { mountRequestController } from "../mount-request.ts";
import { volumeConfigController } from "../volume-config.ts";
import { volumeManagerController } from "../volume-manager.ts";
import { volumeMountStatusController } from "../volume-mount-status.ts";

/** The controllers of volumes and mounts, below a directory of their own. */
export interface VolumeControllers extends ControllerTest {
  readonly root: string;
}

/** @param others Controllers to run with them. */
export async function volumeControllers(...others: readonly Controller[]): Promise<VolumeControllers> {
  const { path: root, ...directory } = await temporaryDirectory();
  for (const folder of ["var", "system", "run"]) await mkdir(join(root, folder));
  const machine = testMachine({ root });
  const kit = controllerTest({
    register: [
      mountController(machine),
      mountRequestController(),
      volumeMountStatusController(),
      volumeConfigController(machine),
      volumeManagerController({ ...machine, logger: createLogger([]) }),
      ...others,
    ],
  });
  return {
    ...kit,
    root,
    async [Symbol.asyncDispose]() {
      await kit.stop();
      await directory[Symbol.asyncDispose]();
    },
  };
}
