import { exists } from "@talos-ts/host";
import type { Linux } from "@talos-ts/linux";
import { parseKernelArguments } from "../command-line/kernel-arguments.ts";
import type { Platform } from "../platform.ts";
import { containerPlatform } from "./container.ts";
import { metalPlatform } from "./metal.ts";

/** Whoever runs the image as a container puts this file there. */
const containerMarker = "/usr/etc/in-container";

/** Finds out where the machine runs. */
export async function detectPlatform(linux: Pick<Linux, "procfs">): Promise<Platform> {
  if (await exists(containerMarker)) return containerPlatform({ env: process.env });
  return metalPlatform(parseKernelArguments(await linux.procfs.commandLine()));
}
