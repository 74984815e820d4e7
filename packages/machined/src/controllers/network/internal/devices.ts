import { weak, type Reader } from "@talos-ts/cosi";
import type { Config } from "@talos-ts/machinery/config";
import { DeviceConfigSpec } from "@talos-ts/machinery/resources/network-device";

/** An entry of `machine.network.interfaces`. */
export type Device = NonNullable<NonNullable<NonNullable<Config["machine"]>["network"]>["interfaces"]>[number];

/** The input every controller declares that reads devices. */
export const devicesInput = weak(DeviceConfigSpec);

/** Entries of `machine.network.interfaces` with the names of the links they are about, in the order of the configuration. */
export async function readDevices(reader: Reader): Promise<readonly Device[]> {
  const resources = await reader.list(DeviceConfigSpec);
  return resources
    .filter(({ metadata }) => metadata.phase === "running")
    .toSorted((a, b) => positionOf(a.metadata.id) - positionOf(b.metadata.id))
    .map(({ spec }) => spec.device as Device);
}

/** Id of an entry: the link, then the position in the configuration. */
export function deviceId(link: string, position: number): string {
  return `${link}/${String(position).padStart(3, "0")}`;
}

function positionOf(id: string): number {
  return Number(id.slice(id.lastIndexOf("/") + 1));
}
