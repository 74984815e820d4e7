import { cacheDirectory, silent, type Progress } from "@talos-ts/host";
import { withFreshPins } from "../packages/fresh-pins.ts";
import { openWorkshop } from "../rootfs/workshop.ts";
import { packageFiles } from "./package-files.ts";

/** Firmware of virtual machines. */
export interface Firmware {
  readonly code: string;
  /** Variables of a new machine; each machine has a copy of its own. */
  readonly variables: string;
}

export interface FirmwareOptions {
  /** @default `$XDG_CACHE_HOME/talos-ts` or `~/.cache/talos-ts` */
  readonly cacheRoot?: string;
  readonly signal?: AbortSignal;
}

const files = { code: "usr/share/OVMF/OVMF_CODE_4M.fd", variables: "usr/share/OVMF/OVMF_VARS_4M.fd" } as const;

/** Gives UEFI for virtual machines, from Debian's package of OVMF; without Secure Boot. */
export async function buildFirmware(options: FirmwareOptions = {}, progress: Progress = silent): Promise<Firmware> {
  const { cacheRoot = cacheDirectory(), ...rest } = options;
  const { apt } = await openWorkshop(options, progress);
  return await withFreshPins(
    false,
    (refresh) => packageFiles("firmware", "ovmf", files, { apt, cacheRoot, refresh, ...rest }, progress),
    progress,
  );
}
